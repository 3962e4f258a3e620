import type { Download } from '@sightline/contract/tools/downloads.ts';
import s from './Setup.module.css';

/** Installation without the marketplace: a file from this server with instructions. */
export function EditorInstructions({ files, published }: { files: readonly Download[]; published: boolean }) {
  if (files.length === 0) {
    return (
      <p className="dim">
        {published
          ? 'After installation, sign in to the extension with the account you use here.'
          : 'This server does not offer the extension. You can continue without it: commits and pull requests are recorded anyway.'}
      </p>
    );
  }
  return (
    <section>
      <h2 className={s.way}>{published ? 'Or install it from a file' : 'Install it from a file'}</h2>
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
          In Visual Studio Code open <b>Extensions</b>, then <b>Install from VSIX…</b> in its menu, and select the file.
        </li>
        <li>Sign in to the extension with the account you use here.</li>
      </ol>
    </section>
  );
}
