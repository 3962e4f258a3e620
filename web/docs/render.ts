import { astToHTML, type MarkdownToJSX, parser, RuleType } from 'markdown-to-jsx/html';
import { codeOf, escaped } from './code.ts';
import type { DocHeading, DocPage } from './page.ts';

/** A file of `docs/` that becomes a page. */
export interface DocFile {
  name: string;
  group: string;
  /** From `docs/`: `user/explore.md`. */
  path: string;
  markdown: string;
}

type Node = MarkdownToJSX.ASTNode;

/**
 * Every file as a page. Refuses, with file and reason, what readers could not follow or should not get: a page without
 * title or purpose, a link to no page or heading, a picture. Raw HTML is shown as the text it is.
 */
export function renderPages(files: readonly DocFile[]): DocPage[] {
  const parsed = files.map((file) => {
    const nodes = parser(file.markdown, { disableParsingRawHTML: true });
    return { file, nodes, headings: headingsOf(nodes) };
  });
  const targets: Targets = new Map(
    parsed.map(({ file, headings }) => [file.path, { name: file.name, ids: headings.map(({ id }) => id) }]),
  );
  return parsed.map(({ file, nodes, headings }) => renderPage(file, nodes, headings, targets));
}

/** The id of a heading as GitHub makes it; `taken` counts the equal ones before. */
export function slugOf(text: string, taken: Map<string, number>): string {
  const slug = text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
  const before = taken.get(slug) ?? 0;
  taken.set(slug, before + 1);
  return before === 0 ? slug : `${slug}-${before}`;
}

/** Which pages and headings there are, by the path of the file. */
type Targets = Map<string, { name: string; ids: string[] }>;

function headingsOf(nodes: readonly Node[]): DocHeading[] {
  const taken = new Map<string, number>();
  return nodes.flatMap((node) => {
    if (node.type !== RuleType.heading) return [];
    const text = wordsOf(node.children);
    // The title takes its id too, though the page draws it without.
    return [{ id: slugOf(text, taken), text, level: node.level }];
  });
}

function renderPage(file: DocFile, nodes: readonly Node[], all: readonly DocHeading[], targets: Targets): DocPage {
  const [title, ...headings] = all;
  const [first, lead] = nodes;
  if (first?.type !== RuleType.heading || first.level !== 1 || !title)
    throw fault(file, 'does not begin with its title');
  if (lead?.type !== RuleType.paragraph) throw fault(file, 'does not say first what it is for');
  const rest = [...headings];
  let under = title;
  const renderRule = (next: () => string, node: Node, children: (nodes: Node[]) => string): string => {
    switch (node.type) {
      case RuleType.heading:
        under = rest.shift() ?? refuse(file, `has a heading inside something else: ${wordsOf(node.children)}`);
        return headed(under, children(node.children), file.name);
      case RuleType.link:
        return linked(
          addressOf(node.target ?? refuse(file, 'has a link that is none'), file, targets),
          children(node.children),
        );
      case RuleType.codeInline:
        return inline(node.text, next());
      case RuleType.codeBlock:
        return codeOf(node.text, node.lang);
      case RuleType.table:
        return `<div data-table role="region" tabindex="0" aria-label="Table: ${escaped(under.text)}">${next()}</div>`;
      case RuleType.image:
        return refuse(file, `has a picture: ${node.alt || node.target}`);
      default:
        return next();
    }
  };
  const html = nodes.slice(1).map((node) => astToHTML([node], { wrapper: null, renderRule }));
  const { name, group } = file;
  return { name, title: title.text, purpose: wordsOf(lead.children), group, headings, html: html.join('\n') };
}

// Written as code in the pages, since a code host could not follow them.
const ofServer = new Set(['/api/docs', '/api/openapi.json']);

/** What is short is not broken over two lines. */
function inline(text: string, html: string): string {
  const code = text.length > short ? html : html.replace('<code', '<code data-short');
  return ofServer.has(text) ? linked(text, code) : code;
}

const short = 28;

const headed = ({ id, text, level }: DocHeading, html: string, page: string) =>
  `<div data-heading><h${level} id="${id}" tabindex="-1">${html}</h${level}>` +
  `<a data-anchor href="/docs/${page}#${id}" aria-label="Link to: ${escaped(text)}">#</a></div>`;

/** Undefined where it becomes plain words. */
function addressOf(target: string, file: DocFile, targets: Targets): string | undefined {
  if (/^https:\/\//.test(target)) return target;
  const { pathname, hash } = new URL(target, `docs:/${file.path}`);
  const path = pathname.slice(1);
  const page = targets.get(path);
  const isThere = page !== undefined && (hash === '' || page.ids.includes(hash.slice(1)));
  if (isThere) return `/docs/${page.name}${hash}`;
  // Pages for operators and developers lead to what users do not have.
  return page === undefined && !file.path.startsWith('user/')
    ? undefined
    : refuse(file, `has a link that leads nowhere: ${target}`);
}

function linked(href: string | undefined, html: string): string {
  if (href === undefined) return html;
  return href.startsWith('/docs/')
    ? `<a href="${escaped(href)}">${html}</a>`
    : `<a href="${escaped(href)}" target="_blank" rel="noreferrer">${html}<span class="vh">, opens a new tab</span></a>`;
}

function wordsOf(nodes: readonly Node[]): string {
  const words = nodes.map((node) => {
    if ('text' in node && typeof node.text === 'string') return node.text;
    return 'children' in node && node.children ? wordsOf(node.children) : '';
  });
  return words.join('').replaceAll(/\s+/g, ' ');
}

const fault = ({ path }: DocFile, what: string) => new Error(`docs/${path} ${what}.`);

function refuse(file: DocFile, what: string): never {
  throw fault(file, what);
}
