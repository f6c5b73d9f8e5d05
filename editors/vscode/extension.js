// Connects Visual Studio Code with `gnnc lsp`: tells it what happens to documents, and asks it what the editor asks.
'use strict';
const vscode = require('vscode');
const { Client } = require('./client');

let client;
let problems;

const place = (json) => new vscode.Position(json.line, json.character);
const range = (json) => new vscode.Range(place(json.start), place(json.end));
const location = (json) => new vscode.Location(vscode.Uri.parse(json.uri), range(json.range));
const edit = (json) => new vscode.TextEdit(range(json.range), json.newText);
const plain = (position) => ({ line: position.line, character: position.character });
const plainRange = (r) => ({ start: plain(r.start), end: plain(r.end) });
const identify = (document) => ({ uri: document.uri.toString() });
const isOurs = (document) => document.languageId === 'gnn';

function diagnostic(json) {
  const result = new vscode.Diagnostic(range(json.range), json.message, json.severity - 1);
  result.code = json.code;
  result.source = json.source;
  result.relatedInformation = json.relatedInformation.map(
    (info) => new vscode.DiagnosticRelatedInformation(location(info.location), info.message));
  return result;
}

function symbol(json) {
  const result =
    new vscode.DocumentSymbol(json.name, json.detail, json.kind - 1, range(json.range), range(json.selectionRange));
  result.children = json.children.map(symbol);
  return result;
}

function completionItem(json) {
  const item = new vscode.CompletionItem(json.label, json.kind - 1);
  item.detail = json.detail;
  if (json.documentation) item.documentation = new vscode.MarkdownString(json.documentation.value);
  return item;
}

function workspaceEdit(json) {
  const result = new vscode.WorkspaceEdit();
  for (const [uri, edits] of Object.entries(json.changes)) result.set(vscode.Uri.parse(uri), edits.map(edit));
  return result;
}

/** Asks about a place in a document. */
const ask = (method, document, position, more) =>
  client.request('textDocument/' + method, { textDocument: identify(document), position: plain(position), ...more });
/** Asks about a document. */
const askAll = (method, document, more) =>
  client.request('textDocument/' + method, { textDocument: identify(document), ...more });

const providers = {
  registerHoverProvider: {
    async provideHover(document, position) {
      const json = await ask('hover', document, position);
      return json && new vscode.Hover(new vscode.MarkdownString(json.contents.value), range(json.range));
    },
  },
  registerDefinitionProvider: {
    provideDefinition: async (document, position) => (await ask('definition', document, position)).map(location),
  },
  registerReferenceProvider: {
    provideReferences: async (document, position, context) =>
      (await ask('references', document, position, { context })).map(location),
  },
  registerDocumentHighlightProvider: {
    provideDocumentHighlights: async (document, position) =>
      (await ask('documentHighlight', document, position)).map((json) => new vscode.DocumentHighlight(range(json.range))),
  },
  registerRenameProvider: {
    async prepareRename(document, position) {
      const json = await ask('prepareRename', document, position);
      if (!json) throw new Error('there is no name here that can be changed');
      return range(json);
    },
    provideRenameEdits: async (document, position, newName) =>
      workspaceEdit(await ask('rename', document, position, { newName })),
  },
  registerInlayHintsProvider: {
    provideInlayHints: async (document, visible) =>
      (await askAll('inlayHint', document, { range: plainRange(visible) })).map(
        (json) => new vscode.InlayHint(place(json.position), json.label, json.kind)),
  },
  registerDocumentSymbolProvider: {
    provideDocumentSymbols: async (document) => (await askAll('documentSymbol', document)).map(symbol),
  },
  registerDocumentFormattingEditProvider: {
    provideDocumentFormattingEdits: async (document, options) =>
      (await askAll('formatting', document, { options: { ...options } })).map(edit),
  },
  registerCodeActionsProvider: {
    async provideCodeActions(document, where) {
      const found = await askAll('codeAction', document, { range: plainRange(where), context: { diagnostics: [] } });
      return found.map((json) => {
        const action = new vscode.CodeAction(json.title, vscode.CodeActionKind.QuickFix);
        action.edit = workspaceEdit(json.edit);
        return action;
      });
    },
  },
};

const completionProvider = {
  provideCompletionItems: async (document, position) =>
    (await ask('completion', document, position)).items.map(completionItem),
};

function opened(document) {
  if (!client || !isOurs(document)) return;
  client.notify('textDocument/didOpen', {
    textDocument: { ...identify(document), languageId: 'gnn', version: document.version, text: document.getText() },
  });
}

function changed(event) {
  if (!client || !isOurs(event.document) || event.contentChanges.length === 0) return;
  client.notify('textDocument/didChange', {
    textDocument: { ...identify(event.document), version: event.document.version },
    // Ranges are in the text before the event, and changes come last place first.
    contentChanges: event.contentChanges.map((change) => ({ range: plainRange(change.range), text: change.text })),
  });
}

function closed(document) {
  if (client && isOurs(document)) client.notify('textDocument/didClose', { textDocument: identify(document) });
}

async function start() {
  const settings = vscode.workspace.getConfiguration('gnn');
  const args = ['lsp', ...settings.get('importPaths').flatMap((folder) => ['-I', folder])];
  const command = settings.get('compiler');
  const onNotification = (method, params) => {
    if (method === 'textDocument/publishDiagnostics')
      problems.set(vscode.Uri.parse(params.uri), params.diagnostics.map(diagnostic));
  };
  client = new Client(command, args, onNotification, () => {
    client = undefined;
    vscode.window.showErrorMessage(`gnn: "${command} lsp" has ended. Is gnnc installed? See the setting gnn.compiler.`);
  });
  const started = client;
  await client.request('initialize', { processId: process.pid, rootUri: null, capabilities: {} });
  if (client !== started) return;
  client.notify('initialized', {});
  vscode.workspace.textDocuments.forEach(opened);
}

async function stop() {
  const stopped = client;
  client = undefined;
  problems.clear();
  if (stopped) await stopped.stop();
}

/** An answer while there is no server is an empty one. */
function guarded(provider) {
  const result = {};
  for (const [name, provide] of Object.entries(provider))
    result[name] = (...args) => (client ? provide(...args) : undefined);
  return result;
}

async function activate(context) {
  problems = vscode.languages.createDiagnosticCollection('gnn');
  context.subscriptions.push(
    problems,
    vscode.workspace.onDidOpenTextDocument(opened),
    vscode.workspace.onDidChangeTextDocument(changed),
    vscode.workspace.onDidCloseTextDocument(closed),
    vscode.commands.registerCommand('gnn.restart', async () => {
      await stop();
      await start();
    }),
    vscode.languages.registerCompletionItemProvider('gnn', guarded(completionProvider), '.'),
    ...Object.entries(providers).map(([register, provider]) => vscode.languages[register]('gnn', guarded(provider))));
  await start().catch(() => {}); // onExit has said so
}

module.exports = { activate, deactivate: stop };
