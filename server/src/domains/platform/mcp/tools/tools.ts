import { getChange } from './get-change.ts';
import { getControl } from './get-control.ts';
import { getFinding } from './get-finding.ts';
import { getProof } from './get-proof.ts';
import { listGaps } from './list-gaps.ts';
import { recordedAboutMe } from './recorded-about-me.ts';
import { searchEvents } from './search-events.ts';
import { simulatePolicy } from './simulate-policy.ts';
import type { Tool } from './tool.ts';

/** All tools of the MCP server, in the order of its list. */
export const tools: readonly Tool[] = [
  searchEvents,
  getFinding,
  getChange,
  getControl,
  listGaps,
  getProof,
  recordedAboutMe,
  simulatePolicy,
];
