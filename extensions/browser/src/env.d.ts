declare module '*.css';

interface ImportMetaEnv {
  /** Target of the package: `chrome`, `firefox`, `edge`, `opera` or `brave`. */
  readonly BROWSER: string;
}
interface ImportMeta {
  readonly env: ImportMetaEnv;
}
