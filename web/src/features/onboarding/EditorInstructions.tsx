import type { Download } from '@sightline/contract/downloads.ts';
import s from './Setup.module.css';

/** The way without the marketplace: a file of this server, and what to do with it. */
export function EditorInstructions({ files }: { files: readonly Download[] }) {
  if (files.length === 0) {
    return (
      <p className="dim">
        In Visual Studio Code you find it under Extensions, by the name Sightline. This server keeps no file of it.
      </p>
    );
  }
  return (
    <section>
      <h2 className={s.way}>Or install it from a file</h2>
      <ol className={s.instructions}>
        <li>
          Download{' '}
          {files.map((file, index) => (
            <span key={file.url}>
              {index > 0 && ', '}
              <a className="link" href={file.url} download={file.fileName}>
                {[file.fileName, file.system, file.architecture].filter(Boolean).join(' · ')}
              </a>
            </span>
          ))}
          .
        </li>
        <li>
          In Visual Studio Code open <b>Extensions</b>, then <b>Install from VSIX…</b> in its menu, and choose the file.
        </li>
        <li>Sign in when the extension asks for it, with the account you use here.</li>
      </ol>
    </section>
  );
}
