/** Thrown if the server stops within a page, which is then imported again. */
export class ImportStopped extends Error {
  override name = 'Stopped';
}
