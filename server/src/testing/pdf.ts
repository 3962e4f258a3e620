import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

interface PdfNode {
  role?: string;
  children?: (PdfNode & { type?: string; id?: string })[];
}

/** Reads every table cell of a PDF by its tags, as a screen reader does: rows of cells, and headers separately. */
export async function readPdf(pdf: Uint8Array) {
  const document = await getDocument({ data: pdf.slice(), verbosity: 0 }).promise;
  const rows: string[][] = [];
  const heads: string[] = [];
  const links: string[] = [];
  let text = '';
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { byMark, text: pageText } = readMarkedText(
      (await page.getTextContent({ includeMarkedContent: true })).items,
    );
    text += pageText;
    links.push(...(await page.getAnnotations()).flatMap(({ url }) => (typeof url === 'string' ? [url] : [])));
    const tree = (await page.getStructTree()) as PdfNode | null;
    if (tree) readTable(tree, byMark, { rows, heads });
  }
  const { info, metadata } = await document.getMetadata();
  return { rows, heads, text: text.replaceAll('\u200B', ''), links, info, metadata, pages: document.numPages };
}

type TextOrMark = { str: string; hasEOL: boolean } | { type: string; id?: string };

/** Returns the text of a page, and that of each mark. */
function readMarkedText(items: readonly TextOrMark[]) {
  const byMark = new Map<string, string>();
  const marks: string[] = [];
  let text = '';
  for (const item of items) {
    if ('str' in item) {
      const mark = marks.findLast((one) => one !== '') ?? '';
      const piece = item.str + (item.hasEOL ? ' ' : '');
      byMark.set(mark, (byMark.get(mark) ?? '') + piece);
      text += piece;
    } else if (item.type.startsWith('beginMarkedContent')) marks.push(item.id ?? '');
    else marks.pop();
  }
  return { byMark, text };
}

/** Adds the rows and headers of the tables in a tree of tags. */
function readTable(
  node: PdfNode,
  byMark: ReadonlyMap<string, string>,
  table: { rows: string[][]; heads: string[] },
): void {
  const children = node.children ?? [];
  const wordsOf = (part: PdfNode): string =>
    (part.children ?? [])
      .map((child) => (child.type === 'content' ? (byMark.get(child.id ?? '') ?? '') : wordsOf(child)))
      .join('');
  if (node.role === 'TR') {
    const cells = children.filter(({ role }) => role === 'TD').map(wordsOf);
    // The tags of a page also name rows of other pages, without text.
    if (cells.some((cell) => cell !== '')) table.rows.push(cells.map((cell) => cell.replaceAll('\u200B', '').trim()));
    table.heads.push(...children.filter(({ role }) => role === 'TH').map((head) => wordsOf(head).trim()));
  }
  for (const child of children) readTable(child, byMark, table);
}
