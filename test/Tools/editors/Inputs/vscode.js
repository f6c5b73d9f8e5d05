// Runs the extension for Visual Studio Code against `gnnc lsp`, with a stand-in for the editor's module `vscode`.
'use strict';
const assert = require('assert');
const Module = require('module');
const path = require('path');

class Position {
  constructor(line, character) { Object.assign(this, { line, character }); }
}
class Range {
  constructor(start, end) { Object.assign(this, { start, end }); }
}
const record = (...names) => function (...values) { names.forEach((name, i) => (this[name] = values[i])); };
class WorkspaceEdit {
  constructor() { this.edits = new Map(); }
  set(uri, edits) { this.edits.set(uri.toString(), edits); }
}

const listeners = {};
const providers = {};
const problems = new Map();
const commands = {};
const errors = [];
const settings = { compiler: 'gnnc', importPaths: [] };
const on = (name) => (listener) => { listeners[name] = listener; return {}; };
const uri = (text) => ({ toString: () => text });
const text = 'layer L(d: dim) {\n  vertex v (h: real[d]) -> real[d] {\n    let a = 1\n    let z = h * a\n    return z\n  }\n}\n';
const document = { uri: uri('file:///nowhere/a.gnn'), languageId: 'gnn', version: 1, getText: () => text };

const vscode = {
  Position, Range, WorkspaceEdit,
  Location: record('uri', 'range'), TextEdit: record('range', 'newText'), Diagnostic: record('range', 'message', 'severity'),
  DiagnosticRelatedInformation: record('location', 'message'), DocumentSymbol: record('name', 'detail', 'kind', 'range', 'selection'),
  CompletionItem: record('label', 'kind'), MarkdownString: record('value'), Hover: record('contents', 'range'),
  DocumentHighlight: record('range'), InlayHint: record('position', 'label', 'kind'), CodeAction: record('title', 'kind'),
  CodeActionKind: { QuickFix: 'quickfix' },
  Uri: { parse: uri },
  languages: new Proxy({ createDiagnosticCollection: () => ({ set: (u, list) => problems.set(u.toString(), list), clear: () => problems.clear() }) },
    { get: (own, name) => own[name] || ((language, provider) => { assert.strictEqual(language, 'gnn'); providers[name] = provider; return {}; }) }),
  workspace: {
    textDocuments: [document], getConfiguration: () => ({ get: (name) => settings[name] }),
    onDidOpenTextDocument: on('open'), onDidChangeTextDocument: on('change'), onDidCloseTextDocument: on('close'),
  },
  commands: { registerCommand: (name, action) => { commands[name] = action; return {}; } },
  window: { showErrorMessage: (message) => errors.push(message) },
};
const load = Module._load;
Module._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest));

async function main() {
  const extension = require(path.resolve(process.argv[2]));
  await extension.activate({ subscriptions: [] });
  const z = new Position(3, 8);
  const all = new Range(new Position(0, 0), new Position(7, 0));

  const hover = await providers.registerHoverProvider.provideHover(document, z);
  assert(hover.contents.value.includes('let z = h') && hover.range.start.line === 3);
  assert.deepStrictEqual(problems.get('file:///nowhere/a.gnn'), []);
  const [place] = await providers.registerDefinitionProvider.provideDefinition(document, new Position(4, 11));
  assert.strictEqual(place.range.start.line, 3);
  assert.strictEqual((await providers.registerReferenceProvider.provideReferences(document, z, {})).length, 2);
  assert.strictEqual((await providers.registerDocumentHighlightProvider.provideDocumentHighlights(document, z)).length, 2);
  const [layer] = await providers.registerDocumentSymbolProvider.provideDocumentSymbols(document);
  assert.strictEqual(layer.name, 'L');
  assert.strictEqual(layer.children.length, 2);
  const hints = await providers.registerInlayHintsProvider.provideInlayHints(document, all);
  assert(hints.some((hint) => hint.label === ': real[d] per vertex'));
  const items = await providers.registerCompletionItemProvider.provideCompletionItems(document, new Position(4, 11));
  assert(items.some((item) => item.label === 'h') && items.some((item) => item.label === 'relu'));
  assert.deepStrictEqual(await providers.registerDocumentFormattingEditProvider.provideDocumentFormattingEdits(document, {}), []);
  await providers.registerRenameProvider.prepareRename(document, z);
  const renamed = await providers.registerRenameProvider.provideRenameEdits(document, z, 'y');
  assert.strictEqual(renamed.edits.get('file:///nowhere/a.gnn').length, 2);
  await assert.rejects(providers.registerRenameProvider.provideRenameEdits(document, z, 'h'), /already a name/);

  document.version = 2;
  listeners.change({ document, contentChanges: [{ range: new Range(new Position(4, 11), new Position(4, 12)), text: 'zz' }] });
  const actions = await providers.registerCodeActionsProvider.provideCodeActions(document, all);
  assert.strictEqual(problems.get('file:///nowhere/a.gnn')[0].code, 'E0101');
  assert.strictEqual(actions[0].edit.edits.get('file:///nowhere/a.gnn')[0].newText, 'z');
  listeners.close(document);

  await commands['gnn.restart']();
  await providers.registerHoverProvider.provideHover(document, z);
  await extension.deactivate();
  assert.strictEqual(await providers.registerHoverProvider.provideHover(document, z), undefined);
  assert.deepStrictEqual(errors, []);

  settings.compiler = '/nowhere/gnnc'; // says so, and the editor goes on
  await extension.activate({ subscriptions: [] });
  assert.match(errors[0], /has ended/);
  assert.strictEqual(await providers.registerHoverProvider.provideHover(document, z), undefined);
}

main().then(() => process.exit(0), (error) => { console.error(error); process.exit(1); });
