/** Cells of a table that a spreadsheet or a careless reader takes for something else. */
export const nastyCells = [
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
