export interface ListedFile {
  readonly path: string;
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
  readonly mediaType: string;
}
