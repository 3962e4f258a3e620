/** Cells that a spreadsheet or an incorrect parser would misinterpret. */
export const hostileCells = [
  '=1+1',
  '+x',
  '-1',
  '@x',
  '\tx',
  '\rx',
  '\nx',
  'a "b"',
  'a,b',
  'a\nb',
  'a\r\nb',
  '😀',
  '',
  "'=1",
  ' x ',
  '0001',
];
