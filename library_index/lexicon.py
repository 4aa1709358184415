"""Words that tell the head of a caption from what is said about it. Plain data, in British spelling."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_COLOURS = """
amber apricot azure beige black blonde blue bronze brown burgundy charcoal chocolate copper coral cream crimson cyan
emerald fuchsia gold golden gray green grey indigo ivory khaki lavender lilac lime magenta maroon mauve mint multicolor
multicolored multicoloured navy ochre olive orange peach pink plum purple red rose ruby rust saffron salmon sandy
scarlet sepia silver silvery skin-coloured tan taupe teal terracotta transparent translucent turquoise vermilion violet
white yellow colorful colourful
"""
_SHADES = "bright dark deep dull faded light light-coloured dark-coloured light-colored dark-colored muted pale vivid"
_MATERIALS = """
acrylic aluminium aluminum brass brick cardboard carbon ceramic chrome clay cloth concrete cotton crystal denim earthen
elastic fabric foam fur glass granite iron knit knitted lacquered leather linen marble metal metallic paper pewter
plaster plastic porcelain rattan rubber silk stainless steel stone straw suede tin titanium velvet wax wicker wire wood
wooden wool woollen
"""
_SHAPES = """
3d angled angular arched asymmetrical bent blunt boxy broad bulbous circular concave conical convex crescent crooked
cross-shaped cubic curled curved curvy cylindrical diagonal domed elliptical elongated fan-shaped flared flat forked
hexagonal hollow horizontal intricate irregular jagged l-shaped long narrow oblong octagonal oval pentagonal pointed
pointy pyramidal rectangular ribbed ring-shaped round rounded scalloped segmented semicircular semi-circular serrated
sharp short simple slanted slender slim smooth spherical spiky spiral square squared squat star-shaped stepped stout
straight stubby symmetrical tall tapered tapering thick thin trapezoidal triangular tubular twisted u-shaped v-shaped
vertical wavy wedge-shaped wide winged
"""
_SIZES = "big enormous giant gigantic huge large little massive medium medium-sized mini miniature small tiny"
_STATES = """
abstract aged ancient animated antique armoured armored braided broken carved cartoonish checkered classic closed
coiled crossed cracked cut damaged decorated decorative detailed dirty distressed dotted embossed empty engraved fallen
floral fluffy folded frayed frosted futuristic fuzzy geometric glossy glowing gnawed hand-carved hanging heavy lit loose
low-poly lying matte medieval metal-framed minimalist modern modular mossy old open ornate ornamental padded painted
patterned perforated plain pleated polished quilted ragged raised realistic reflective rough rugged rustic rusted rusty
sculpted sharpened shiny single sleek snapped soft solid spotted standing striped studded sturdy stylised stylized tied
textured tilted torn traditional turned-down upright vintage weathered woven worn wrinkled
"""
_OPINIONS = "beautiful delicate elaborate elegant fierce friendly menacing playful unique various whimsical visible"

ADJECTIVES = _words(f"{_COLOURS} {_SHADES} {_MATERIALS} {_SHAPES} {_SIZES} {_STATES} {_OPINIONS}")
ADJECTIVE_ENDINGS = ("-shaped", "-like", "-coloured", "-colored", "-covered", "-framed", "-sized", "-style", "-toned")

SIDES = _words("left right front back rear top bottom upper lower middle center centre central inner outer")
SIDE_ORDER = ("upper", "lower", "top", "middle", "bottom", "inner", "outer", "front", "back", "left", "right")
SIDE_SYNONYMS = {"rear": "back", "center": "middle", "centre": "middle", "central": "middle"}

NUMERALS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "last",
)  # fmt: skip

JUNK_HEADS = _words(
    "area assembly aspect component detail element entity feature fragment geometry item mesh model object part piece "
    "portion primitive region section segment shape something structure surface thing unknown"
)
"""Head nouns that say nothing about what a part is."""

SHADES = _words("dark light pale bright deep golden olive navy")
"""Words that modify the colour after them."""

NAME_NOISE = _words(
    "mesh node object obj geometry geo group grp polygon polysurface surface default root scene sketchfab model fbx "
    "gltf glb sm sk lod material mat primitive instance lambert phong blinn standard shape transform null empty "
    "untitled unnamed low high poly lowpoly rootnode cleaner materialmerger gles"
)
"""Words in the names of nodes that say nothing about the thing."""

SHAPE_NAMES = _words("circle cone cube curve cylinder icosphere plane sphere torus uv")
"""Names that modelling programs give to new meshes."""

MEASURES = _words(
    "array bit block bouquet bunch bundle chunk cluster collection drop flight group handful head heap leaf leg lump "
    "mound pack pair piece pile roll row series set sheet slice stack strip wedge"
)
"""Nouns that only measure what follows `of`."""

CLAUSE_MARKERS = (
    "which", "that", "featuring", "serving as", "serving", "used as", "used for", "used to", "designed", "resembling",
    "extracted from", "taken from", "forming", "representing", "depicting", "shown", "seen", "located", "positioned",
    "attached to", "connected to", "mounted", "placed", "likely", "possibly", "typically", "characterized by",
    "characterised by", "consisting of", "made of", "made from", "composed of", "adorned with", "decorated with",
    "topped with", "covered in", "covered with", "highlighted", "isolated", "against", "viewed from", "part of",
    "belonging to", "suitable for", "ideal for", "intended for", "having", "including", "containing", "holding",
)  # fmt: skip
"""Words that begin a clause about a noun; nothing after them names the part."""

IRREGULAR_SINGULARS = {
    "leaves": "leaf", "knives": "knife", "shelves": "shelf", "wolves": "wolf", "hooves": "hoof", "feet": "foot",
    "teeth": "tooth", "geese": "goose", "mice": "mouse", "men": "man", "women": "woman", "children": "child",
    "lenses": "lens", "buses": "bus", "scarves": "scarf", "loaves": "loaf", "halves": "half", "dice": "die",
    "axes": "axe", "shoes": "shoe", "horseshoes": "horseshoe", "toes": "toe", "canoes": "canoe",
}  # fmt: skip
SINGULAR_IN_S = _words(
    "lens bus glass gas cross dress cactus canvas compass brass grass moss chess axis atlas truss harness mattress "
    "fortress hibiscus octopus torus abacus apparatus iris pancreas species series christmas tennis"
)
PAIRED_NOUNS = _words(
    "trousers pants shorts jeans scissors glasses sunglasses goggles pliers tongs tweezers binoculars headphones "
    "leggings tights overalls stairs"
)
