import { Button, Select } from '@mantine/core';
import { architectures, type Download, operatingSystems } from '@sightline/contract/tools/downloads.ts';
import { IconDownload, IconExternalLink } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { marketplace } from '#lib/site.ts';
import { BrandIcon } from '#ui/BrandIcon.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import s from './Account.module.css';
import { installSteps, staysInstalled } from './install.ts';
import {
  type Architecture,
  architectureNames,
  detectArchitecture,
  type OperatingSystem,
  operatingSystemOf,
  systemNames,
} from './platform.ts';

interface DownloadCardProps {
  target: Download['target'];
  name: string;
  kind: string;
  /** Newest version first. */
  files: readonly Download[];
}

/** Shows one extension: its download and installation steps. */
export function DownloadCard({ target, name, kind, files }: DownloadCardProps) {
  const [newest] = files;
  const published = target === 'vscode' ? marketplace() : undefined;
  return (
    <li className={s.card} aria-label={name}>
      <BrandIcon name={target} size={22} />
      <div className={s.cardText}>
        <h3>{name}</h3>
        <p>
          {kind}
          {newest && `, version ${newest.version}`}
        </p>
      </div>
      {published !== undefined && (
        <Button
          component="a"
          variant="default"
          href={published}
          target="_blank"
          rel="noreferrer"
          rightSection={<IconExternalLink size={14} aria-hidden />}
        >
          Get from Marketplace<span className="vh">, opens in a new tab</span>
        </Button>
      )}
      {newest ? (
        <Files
          name={name}
          files={files.filter(({ version }) => version === newest.version)}
          isChosen={target === 'vscode'}
        />
      ) : (
        published === undefined && <p className={s.missing}>This server offers no build of it.</p>
      )}
    </li>
  );
}

interface FilesProps {
  name: string;
  files: readonly Download[];
  /** By system and CPU (spec 2.12), because installation steps depend on them even if the file does not. */
  isChosen: boolean;
}

/** Selects the file for the user's device. The user can correct the detection. */
function Files({ name, files, isChosen }: FilesProps) {
  const [system, setSystem] = useState<OperatingSystem>(operatingSystemOf(navigator.userAgent) ?? 'windows');
  const [architecture, setArchitecture] = useState<Architecture>('x64');
  useEffect(() => void detectArchitecture().then(setArchitecture), []);
  const file = files.find(
    (one) => (one.system ?? system) === system && (one.architecture ?? architecture) === architecture,
  );
  return (
    <div className={s.choice}>
      {(isChosen || files.some((one) => one.system !== null)) && (
        <>
          <Select
            aria-label={`Operating system for ${name}`}
            data={operatingSystems.map((value) => ({ value, label: systemNames[value] }))}
            value={system}
            allowDeselect={false}
            onChange={(value) => value && setSystem(value)}
          />
          <Select
            aria-label={`Processor for ${name}`}
            data={architectures.map((value) => ({ value, label: architectureNames[value] }))}
            value={architecture}
            allowDeselect={false}
            onChange={(value) => value && setArchitecture(value)}
          />
        </>
      )}
      {file ? (
        <Get name={name} file={file} system={system} />
      ) : (
        <p className={s.missing}>
          No build for {systemNames[system]} on {architectureNames[architecture]} yet.
        </p>
      )}
    </div>
  );
}

const Get = ({ name, file, system }: { name: string; file: Download; system: OperatingSystem }) => (
  <>
    {file.target === 'vscode' && file.system === null && (
      <p className={s.missing}>One file for all systems and processors.</p>
    )}
    {!staysInstalled(file) && <p className={s.missing}>Not signed by Mozilla: Firefox removes it when it closes.</p>}
    <Button
      component="a"
      variant="default"
      href={file.url}
      download={file.fileName}
      leftSection={<IconDownload size={15} aria-hidden />}
    >
      Download<span className="vh"> for {name}</span>
    </Button>
    <details className={s.install}>
      <summary>
        Install instructions<span className="vh"> it in {name}</span>
      </summary>
      <ol>
        {installSteps(file, window.location.origin, system).map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p className={s.checksum}>
        <span>
          SHA-256 <code>{file.sha256}</code>
        </span>
        <CopyButton compact value={file.sha256} label="Copy checksum" />
      </p>
    </details>
  </>
);
