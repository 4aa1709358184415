// Validates every .glb below a folder with the Khronos glTF validator and prints one JSON document.
//
//   node validate_states.mjs STATES [--sources DIR]
//
// With --sources the same is done for every .glb and .gltf below DIR, and only codes that no source file has count as
// errors of the states: a composed state may carry what its parts brought, never more. Exit code 1 when such errors
// remain, 2 on wrong usage.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import validator from "gltf-validator";

const MAX_ISSUES = 100;

async function findFiles(folder, endings) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

async function findErrors(file) {
  const folder = path.dirname(file);
  const readBeside = async (uri) => new Uint8Array(await readFile(path.join(folder, decodeURIComponent(uri))));
  const options = { uri: path.basename(file), maxIssues: MAX_ISSUES, externalResourceFunction: readBeside };
  try {
    const report = await validator.validateBytes(new Uint8Array(await readFile(file)), options);
    return report.issues.messages
      .filter((issue) => issue.severity === 0)
      .map(({ code, message, pointer }) => ({ code, message, pointer: pointer ?? null }));
  } catch (error) {
    return [{ code: "UNREADABLE", message: String(error), pointer: null }];
  }
}

async function validateFolder(folder, endings) {
  const found = {};
  for (const file of await findFiles(folder, endings)) {
    found[path.relative(folder, file)] = await findErrors(file);
  }
  return found;
}

function parseArguments(words) {
  const at = words.indexOf("--sources");
  const sources = at >= 0 ? words[at + 1] : null;
  const rest = at >= 0 ? words.filter((_, index) => index !== at && index !== at + 1) : words;
  return rest.length === 1 && sources !== undefined ? { states: rest[0], sources } : null;
}

const given = parseArguments(process.argv.slice(2));
if (given === null) {
  process.stderr.write("usage: node validate_states.mjs STATES [--sources DIR]\n");
  process.exit(2);
}
const states = await validateFolder(given.states, [".glb"]);
const sources = given.sources === null ? {} : await validateFolder(given.sources, [".glb", ".gltf"]);
const known = new Set(Object.values(sources).flat().map((issue) => issue.code));
const files = Object.fromEntries(Object.entries(states).filter(([, issues]) => issues.length > 0));
const fresh = Object.fromEntries(
  Object.entries(files)
    .map(([name, issues]) => [name, issues.filter((issue) => !known.has(issue.code))])
    .filter(([, issues]) => issues.length > 0),
);
const summary = {
  states: Object.keys(states).length,
  states_with_errors: Object.keys(files).length,
  sources: Object.keys(sources).length,
  source_codes: [...known].sort(),
  errors: files,
  new_errors: fresh,
};
process.stdout.write(`${JSON.stringify(summary, null, 1)}\n`);
process.exit(Object.keys(fresh).length > 0 ? 1 : 0);
