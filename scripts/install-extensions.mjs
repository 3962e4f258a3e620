import { ensureExtensionsInstalled, ensureInstalled } from './install.mjs';
import { giveUp } from './progress.mjs';

try {
  await ensureInstalled();
  await ensureExtensionsInstalled();
} catch (error) {
  giveUp(error);
}
