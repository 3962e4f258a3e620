// npm run bench [NAME…]: prints figures. Only `abuse` has limits and fails beyond them.
import { benchAbuse } from './abuse.ts';
import { benchActivation } from './activation.ts';
import { benchBackfill } from './backfill.ts';
import { benchBundle } from './bundle.ts';
import { benchCells } from './cells.ts';
import { benchControls } from './controls.ts';
import { benchCopy } from './copy.ts';
import { benchDemo } from './demo.ts';
import { benchDense } from './dense.ts';
import { benchDirectory } from './directory.ts';
import { benchExplore } from './explore.ts';
import { benchFindings } from './findings.ts';
import { benchFrames } from './frames.ts';
import { benchIdle } from './idle.ts';
import { benchIngest } from './ingest.ts';
import { benchIntake } from './intake.ts';
import { benchLedger } from './ledger.ts';
import { benchProofDelay } from './ledger-proof-delay.ts';
import { benchMembers } from './members.ts';
import { benchPresence } from './presence.ts';
import { benchReport } from './report-pdf.ts';
import { benchSarif } from './sarif.ts';
import { benchSegments } from './segments.ts';
import { benchSoak } from './soak.ts';
import { benchStartup } from './startup.ts';
import { benchTelemetry } from './telemetry.ts';
import { benchTestSuite } from './test-suite.ts';
import { benchTimeline } from './timeline.ts';
import { benchTools } from './tools.ts';
import { benchTrends } from './trends.ts';
import { benchVerification } from './verification.ts';
import { benchWebhooks } from './webhooks.ts';

const benchmarks: Record<string, () => Promise<void>> = {
  start: benchStartup,
  idle: benchIdle,
  ingest: benchIngest,
  backfill: benchBackfill,
  intake: benchIntake,
  webhooks: benchWebhooks,
  explore: benchExplore,
  segments: benchSegments,
  copy: benchCopy,
  ledger: benchLedger,
  'proof-delay': benchProofDelay,
  controls: benchControls,
  bundle: benchBundle,
  verification: benchVerification,
  report: benchReport,
  members: benchMembers,
  directory: benchDirectory,
  frames: benchFrames,
  timeline: benchTimeline,
  findings: benchFindings,
  trends: benchTrends,
  sarif: benchSarif,
  tools: benchTools,
  telemetry: benchTelemetry,
  presence: benchPresence,
  activation: benchActivation,
};
/** Benchmarks that run only if they are named, because they take long. */
const onRequest: Record<string, () => Promise<void>> = {
  'test-suite': benchTestSuite,
  abuse: benchAbuse,
  demo: benchDemo,
  dense: benchDense,
  cells: benchCells,
  soak: benchSoak,
};

const requested = process.argv.slice(2);
const known = { ...benchmarks, ...onRequest };
const unknown = requested.filter((name) => !(name in known));
if (unknown.length > 0) {
  console.error(`No benchmark is called ${unknown.join(', ')}. There are: ${Object.keys(known).join(', ')}`);
  process.exit(1);
}
for (const [name, run] of Object.entries(known)) {
  if (requested.length === 0 ? name in benchmarks : requested.includes(name)) await run();
}
