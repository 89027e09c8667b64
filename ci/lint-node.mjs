// Checks PowerShell scripts and GitHub workflows where neither PowerShell nor GitHub is at hand.
//   node lint-node.mjs MODULES FILE…     MODULES: the folder that holds node_modules
// A .ps1 file must parse, and be ASCII: Windows PowerShell 5.1 reads other bytes in the machine's own code page.
// A .yml file must pass actionlint and GitHub's schema of workflows.
// Prints file:line:column: what is wrong; exit status 1 if anything is.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, ...files] = process.argv.slice(2);
if (!modules || files.length === 0) {
  console.error('lint-node.mjs: usage: node lint-node.mjs MODULES FILE…');
  process.exit(2);
}
const require = createRequire(join(resolve(modules), 'lint.js'));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);

let complaints = 0;
function complain(file, line, column, text) {
  console.error(`${file}:${line}:${column}: ${text}`);
  complaints += 1;
}

async function powershellParser() {
  const { Parser, Language } = await load('web-tree-sitter');
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Language.load(require.resolve('tree-sitter-powershell/tree-sitter-powershell.wasm')));
  return parser;
}

// The innermost broken places: an ERROR node around another one says nothing new.
function brokenNodes(node) {
  if (!node.hasError && !node.isMissing) {
    return [];
  }
  const inner = node.children.flatMap(brokenNodes);
  return inner.length === 0 && (node.isError || node.isMissing) ? [node] : inner;
}

function lintPowershell(parser, file) {
  const text = readFileSync(file, 'utf8');
  text.split('\n').forEach((line, row) => {
    const column = line.search(/[^\t\r\x20-\x7e]/);
    if (column >= 0) {
      complain(file, row + 1, column + 1, 'not ASCII');
    }
  });
  const root = parser.parse(text).rootNode;
  const broken = brokenNodes(root);
  for (const node of broken) {
    const { row, column } = node.startPosition;
    const what = node.isMissing ? `missing ${node.type}` : `cannot parse: ${node.text.split('\n')[0].slice(0, 60)}`;
    complain(file, row + 1, column + 1, what);
  }
  if (root.hasError && broken.length === 0) {
    complain(file, 1, 1, 'cannot parse');
  }
}

async function workflowLinters() {
  const { createLinter } = await load('actionlint');
  const { validateWorkflow } = await load('@action-validator/core');
  return { actionlint: await createLinter(), validateWorkflow };
}

function lintWorkflow({ actionlint, validateWorkflow }, file) {
  const text = readFileSync(file, 'utf8');
  for (const { kind, line, column, message } of actionlint(text, file)) {
    // This build of actionlint is older than some of the runners that GitHub has today.
    if (kind !== 'runner-label') {
      complain(file, line, column, message);
    }
  }
  for (const error of validateWorkflow(text).errors) {
    complain(file, 1, 1, `${error.title ?? error.code}: ${error.detail ?? ''} ${error.path ?? ''}`);
  }
}

const scripts = files.filter((file) => file.endsWith('.ps1'));
const workflows = files.filter((file) => /\.ya?ml$/.test(file));
if (scripts.length > 0) {
  const parser = await powershellParser();
  scripts.forEach((file) => lintPowershell(parser, file));
}
if (workflows.length > 0) {
  const linters = await workflowLinters();
  workflows.forEach((file) => lintWorkflow(linters, file));
}
process.exit(complaints > 0 ? 1 : 0);
