"""Rules about words that no instruction should hold, whatever it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chains.lint_context import MASK, Finding, Reading, any_of
from chains.wording import with_article

_NUMBER = r"-?\d[\d,]*(?:\.\d+)?"
_AXIS_WORD = any_of(
    r"(?:[xyz][- ]?|(?:vertical|horizontal|up|its own|main)[ -])?axis",
    r"(?:[xyz]|world|local|coordinate|principal)[ -]axes",
    r"[xyz][- ](?:direction|coordinate|plane|value|position|rotation|offset)s?",
    r"(?:along|about|around|in|on|by|towards?|parallel to) (?:the |its )?(?:positive |negative |plus |minus )?"
    r"[xyz](?= *(?:[.,;)]|$|by |and |to |until |or ))",
    r"[xyz] ?= ?-?[\d.]+",
    r"(?:plus|minus|positive|negative) [xyz]",
    r"co-?ordinates?|coordinate (?:system|frame)s?|centroid|quaternion|euler angles?|azimuth|yaw|origin",
    r"(?:world|local|object|camera|global|screen)(?:[ -]space|[ -](?:frame|up))",
    rf"{_NUMBER} ?(?:degrees?|deg|\N{{DEGREE SIGN}}) (?:about|around) \S+(?: \S+)?",
    rf"{_NUMBER} (?:world |scene |grid )?units?",
    r"(?:rotate|rotated|pitch|pitched|rolled|roll) (?:it |them )?(?:by )?-?\d[\d.]* ?(?:degrees?|\N{DEGREE SIGN}|rad)"
    r" (?:about|around|on)",
    r"(?:surface|face|contact) normals?|normal (?:vector|direction)|along (?:its|the) normal|vectors?",
)
_SIGNED_AXIS = re.compile(r"(?<![\w-])[+\N{MINUS SIGN}-][xyz]\b", re.IGNORECASE)
_TUPLE = re.compile(rf"[(\[] ?{_NUMBER}(?:, ?{_NUMBER}){{1,2}} ?[)\]]")


def check_axis_words(reading: Reading) -> Iterator[Finding]:
    """A person points at things; nobody who looks at an object sees its axes, coordinates or units."""
    message = "say it by parts that are there, not by axes or coordinates"
    for pattern in (_AXIS_WORD, _SIGNED_AXIS, _TUPLE):
        yield from reading.find("axis-word", pattern, message)


_SLOT_ID = re.compile(
    r"(?<![\w-])(?:"
    r"\w*[^\W_]_\w+|\w+_"  # front_left_leg
    r"|[A-Za-z]{3,}\d+(?!\w)|[a-z]{3,}-\d+(?!\w)|[A-Za-z]+[-.]?0\d+"  # add03, leg2, leg.003
    r"|[a-z]+[A-Z]\w*|(?!Mc|Mac)[A-Z][a-z]+[A-Z][a-z]\w*"  # frontLeftLeg, FrontLeg
    r"|(?:front|back|left|right|upper|lower|top|bottom)(?:-[a-z]+){2,}"  # front-left-leg
    r"|(?=[0-9a-f]*\d)[0-9a-f]{8,}"
    r"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    r")(?![\w])"
)
_NUMBERED = re.compile(
    r"(?<![\w-])(?:(?:part|piece|slot|node|object|mesh|component|item|element|segment|index|id|layer|material)s?"
    r"(?: (?:no\.?|number|id|index|called|named))? ?[#:]? ?\d+\b|(?:slot|part|object|node|piece)[ -]ids?\b)"
    r"|#\d+|(?<![\d,.])0\d+\b",
    re.IGNORECASE,
)


def check_slot_ids(reading: Reading) -> Iterator[Finding]:
    """A person calls a piece by what it is, never by what a file calls it."""
    message = "say what the piece is called, not its identifier"
    for pattern in (_SLOT_ID, _NUMBERED):
        yield from reading.find("slot-id", pattern, message, raw=True)
    # An identifier that is also what people say (`seat`, `roof`, part `3`) gives nothing away.
    telling = [
        name
        for name in reading.context.ids
        if (re.search(r"[\d_.]", name) and len(name) > 2) or re.fullmatch(r"[b-df-hj-np-tv-xz]{2,}", name)
    ]
    spaced = [name.replace("_", "-") for name in telling if name.count("_") > 1]
    if telling:
        pattern = any_of(
            *(re.escape(name) for name in sorted({*telling, *spaced}, key=lambda name: (-len(name), name)))
        )
        yield from reading.find("slot-id", pattern, message)


_NEVER_A_THING = any_of(
    r"assets?|glbs?|gltfs?|fbx|\.?(?:glb|gltf|obj|fbx|usdz?|stl)|bbox(?:es)?|bounding[ -](?:box(?:es)?"
    r"|volumes?|spheres?)"
    r"|aabb|(?<!wire )(?<!metal )(?<!steel )(?<!chain )(?<!fine )(?<!of )mesh(?:es)?"
    r"(?! (?:screen|panel|fence|back|bag|door|cover|basket|chair|seat|net|tray|shelf|curtain|grille|guard))"
    r"|sub-?mesh(?:es)?|components?|captions?|captioned|object ids?|part ids?|embeddings?|candidates?|placements?"
    r"|sub-?assembl(?:y|ies)|data ?sets?|data ?bases?|metadata|prefabs?|point clouds?|voxels?|view ?ports?|shaders?"
    r"|texture maps?|uv(?: ?maps?| coordinates?)?|normal maps?|albedo|pbr|vertex|vertices|polygons?|polys"
)
_OF_THE_LIBRARY = any_of(
    r"librar(?:y|ies)|catalog(?:ue)?s?|inventory|repository|retriev\w+|similarity(?: scores?)?|segment(?:s|ed)?"
    r"|segmentation|slots?|primitives?|geometr(?:y|ies)|topology|3-?d|instances?|(?:3d |the |part |source )?models?"
    r"(?! (?:of|ship|boat|plane|train|car|airplane|aeroplane|house|rocket))|(?:best|closest|nearest"
    r"|top)[ -]match(?:es|ing)?"
    r"|search results?|(?:scene )?nodes?|(?:parent|child) (?:part|node|object|piece)s?|entit(?:y|ies)|the host"
    r"|(?:this|the|next|last|previous|earlier) turn|(?:in|of|from|since) turn (?:\d+|one|two|three|four|five"
    r"|six)|turn \d+"
    r"|the (?:data|index|state|system)|files?|ranked"
)


def check_library_words(reading: Reading) -> Iterator[Finding]:
    """Whoever asks for a lamp knows nothing of the files, searches and boxes that it is found and placed with."""
    message = "a word of the tool, not of the thing"
    yield from reading.find("library-word", _NEVER_A_THING, message, raw=True)
    yield from reading.find("library-word", _OF_THE_LIBRARY, message)


_UNDERSIDE = any_of(r"(?:the |its )?undersides?")
"""No look to give or take; things may hang from it."""
_INSIDE = any_of(r"inside(?! (?:edge|corner|face)s?\b)")
_OPEN = re.compile(
    r" (?:[\w-]+ ){1,4}?(?:bowl|basket|tray|pot|pan|cup|mug|bucket|cart|wagon|nest|ring|frame|boat|flatbed"
    r"|crate|bathtub"
    r"|sink|planter)s?\b",
    re.IGNORECASE,
)
"""What can be seen into; `inside` it is a place like any other."""
_UNSEEN = any_of(
    r"hidden|hide|hides|invisible|invisibly|unseen|not visible|out of sight|concealed|internal(?:ly)?|interiors?|buried"
    r"|embedded|hollow inside|(?:on|from|in|of) the inside|inner workings?"
    r"|the underneath|underneath of|all the way through|solid (?:core|inside)"
    r"|where (?:nobody|no one|no-one) (?:can |will )?(?:see|look)s?|that (?:nobody|no one) (?:can |will )?sees?|secret"
)
_MEASURED = any_of(
    rf"(?:{_NUMBER}|many|few|fewer|more|thousands? of|hundreds? of|millions? of) (?:k )?"
    r"(?:triangles|polygons|vertices|polys|pixels|texels)|\d[\d,]{2,} (?:faces|edges)",
    r"(?:low|high)[- ]?poly|triangle counts?|polygon counts?|resolution|megabytes?|mb",
    rf"{_NUMBER} ?(?:kg|kgs|kilos?|kilograms?|g|grams?|lbs?|pounds?|tons?|tonnes?|oz|ounces?|stone in weight|litres?"
    r"|liters?|ml|volts?|watts?)",
    rf"{_NUMBER}[- ]?(?:cm|mm|m|km|centimet(?:er|re)s?|millimet(?:er|re)s?|met(?:er|re)s?|inch(?:es)?|ft|feet|foot)",
    r"weigh(?:s|ing|t|ts|ed)?|heavier|heaviest|lightweight|light-weight|lighter in weight|volume|density",
    rf"{_NUMBER} ?(?:dollars?|euros?|cents?|bucks?|usd|eur|percent)",
    r"cheap(?:er|est|ly)?|expensive|costly|costs?|costing|pric(?:e|es|ed|ey)|worth|valuable|priceless|affordable|sold"
    r"|for sale|bought|purchased",
)
_PRICE = re.compile(r"[$\N{EURO SIGN}\N{POUND SIGN}] ?\d[\d.,]*")
_SEEN = (
    "shows?|faces?|point(?:s|ing)?|leans?|lines? up|reach(?:es)?|touch(?:es)?|visible|seen|hangs?|sits?|stands?"
    "|match(?:es)?|opens?|covers?|rests?|meets?|looks?"
)
"""Results that show: `so that its handle points to the left` is no purpose."""
_PURPOSE = any_of(
    r"to (?:hold|store|keep|make|prevent|stop|protect|serve|carry|help|let|allow|give|provide|improve|increase|reduce"
    r"|save|free|create|catch|collect|cook|feed|balance|stabili[sz]e|strengthen|contain|avoid|ensure"
    r"|drink|eat|sit|sleep|charge|(?:light|warm|heat|clear|block|dry|lock|open|power|read|hang) (?:up|the|a|it"
    r"|some|room|space)"
    r"|support (?:it|more|the weight))",
    rf"used (?:for|as|by|in)|used to (?!be\b|stand|sit|hang)|useful|meant (?:for|to)|intended|designed (?:for"
    rf"|to)|serves? as|in order to|so that (?!.*\b(?:{_SEEN})\b)"
    r"|so (?:it|they|we|you|people|one|he|she|nobody|everyone)\b|because|since it|in case|purpose|functional(?:ity)?",
    r"for (?:storing|keeping|holding|sitting|cooking|eating|drinking|reading|writing|sleeping|hanging|carrying|serving"
    r"|lighting|heating|cutting|cleaning|decorating|support|protecting|safety|comfort|storage|decoration"
    r"|convenience|later"
    r"|extra|better|more \w+|use|good luck|guests?|children|kids|visitors?|customers?|people|the (?:guests?"
    r"|children|kids"
    r"|visitors?|customers?|owner|family|winter|summer|night))",
)
_HISTORY = any_of(
    r"originally|formerly|used to be|once (?:was|were|belonged)|histor(?:y|ic|ical)|belong(?:s|ed|ing)? to"
    r"|owners?|owned"
    r"|inherited|handmade|hand-made|hand made|imported|manufactured|made (?:in|by) (?-i:[A-Z])\w+|built in \d+"
    r"|(?:\w+ )?(?:years?|centuries|decades) (?:old|ago)|\w+-(?:year|century)-old|(?:\w+ )?century|centuries"
    r"|(?:1[0-9]|20)\d\d|smell(?:s|ing|y)?|taste[sd]?|tast(?:y|ing)|delicious|edible|poison(?:ous|ed)?|fragile|durable"
    r"|comfortable|stronger|sturdier|safer|quieter|faster|high-quality|waterproof|fireproof|unbreakable"
    r"|bulletproof|flammable|rechargeable|haunted|magical properties|famous|favou?rite"
)


def check_invisible_facts(reading: Reading) -> Iterator[Finding]:
    """An edit is judged by looking; insides, counts, weights, prices, purposes and histories do not show."""
    for pattern, message in (
        (_UNSEEN, "nobody who looks at the object sees that"),
        (_MEASURED, "nobody sees a number or a value by looking"),
        (_PRICE, "nobody sees a price by looking"),
        (_PURPOSE, "what a thing is for does not show"),
        (_HISTORY, "what a thing was or is known for does not show"),
    ):
        yield from reading.find("invisible-fact", pattern, message)
    if reading.context.op != "add":
        yield from reading.find("invisible-fact", _UNDERSIDE, "nobody who looks at the object sees that")
    for match in _INSIDE.finditer(reading.masked):
        if not _OPEN.match(reading.text[match.end() :]):
            yield Finding("invisible-fact", match[0], "nobody who looks at the object sees that")


_VAGUE = any_of(
    r"(?:and/)?or|either|whether|(?:some|any|a) (?:kind|sort|type) of|(?:kind|sort) of(?= (?!the\b))|some other|maybe"
    r"|perhaps|possibly|probably|optionally|optional|etc\.?|et cetera|and so (?:on|forth)|and the like|something"
    r"|anything|someone|somewhere|anywhere|somehow|whatever|whichever|wherever|any|roughly|approximately"
    r"|more or less|if (?:possible|needed|you (?:like|want|wish|prefer)|necessary)|as you (?:like|wish|please)"
    r"|such as|e\.g\.?|i\.e\.?|for (?:example|instance)|about \d+|one of the|might|could|(?<!as )if"
    r"|of (?:your |any )?choice|you (?:like|want|wish|prefer|choose)"
)
_SLASH = re.compile(r"(?<=[a-z])/(?=[a-z])", re.IGNORECASE)


def check_vague_or(reading: Reading) -> Iterator[Finding]:
    """An edit has one target: whoever leaves a choice open cannot be followed exactly."""
    message = "leaves open what is asked for"
    yield from reading.find("vague-or", _VAGUE, message, raw=True)
    yield from reading.find("vague-or", _SLASH, message)


_COVERAGE = any_of(
    r"all(?! (?:the way|right|round|around)\b)|every|everything|everywhere|every (?:last|single)|entire|entirely"
    r"|complete(?:ly)?(?! set\b)|the whole|wholly|whole (?:object|thing|scene|model)|totally|throughout"
    r"|top to bottom|head to toe"
    r"|fully(?! (?:open|opened|closed|extended|grown|loaded|unfolded))|the rest(?! on\b)|the others"
    r"|each(?! (?:side|end|corner|other)\b)|in full|in its entirety|from end to end|both of (?:them|the)|and all"
)
_OTHERS = any_of(r"(?:the )?(?:remaining|other)(?: [\w-]+){0,2}? [\w-]+(?<![su])s")
_BOTH = re.compile(r"^(?:[\w-]+ ){1,3}(both\b(?: [\w-]+)?)", re.IGNORECASE)
"""Both at the head of a sentence: what is edited, not a detail of what comes."""
_DETAIL = re.compile(r"\b(?:with (?:an?|some)|that has|that have|which has|having|made of)\b", re.IGNORECASE)
"""Begins what a new part has: `a crown with a ruby at each point`."""
_HARMLESS_ALL = re.compile(r"\b(?:at|after|above|of it) all\b|\bfor all to see\b", re.IGNORECASE)


def check_coverage_claims(reading: Reading) -> Iterator[Finding]:
    """A turn edits one piece: a claim on all of them, or on all of the object, promises more than is done."""
    text = reading.masked
    harmless = [match.span() for match in _HARMLESS_ALL.finditer(text)]
    many = [label for label in reading.context.labels.values() if with_article(label).startswith("some ")]
    message = "the turn edits one piece"
    for match in _COVERAGE.finditer(text):
        if any(start <= match.start() < end for start, end in harmless):
            continue
        if match[0].lower() == "each" and _DETAIL.search(text, 0, match.start()):
            continue
        # `All the drawer fronts` claims no more than the name `drawer fronts` does.
        after = re.match(rf" (?:of )?(?:the )?({MASK}+)", text[match.end() :])
        if after and match[0].lower() == "all":
            start = match.end() + after.start(1)
            if reading.text[start : start + len(after[1])].lower() in (label.lower() for label in many):
                continue
        yield Finding("coverage-claim", reading.text[match.start() : match.end()], message)
    yield from reading.find("coverage-claim", _OTHERS, message, raw=True)
    edited = reading.context.labels.get(next(iter(reading.context.named_slots), ""))
    both = _BOTH.match(reading.text)
    if both and edited not in many:
        yield Finding("coverage-claim", both[1], message)
