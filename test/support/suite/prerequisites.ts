import { findChromium } from '../../../src/collectors/fetch/find-browser.ts'
import { temporalBinary } from '../../../src/embedded/temporal/find-binary.ts'
import { progressTo } from '../../../src/lib/process/progress.ts'
import { testServerJars } from '../servers/test-server.ts'
import { installed } from '../toolchains/install.ts'
import { bringPromtool } from '../toolchains/promtool.ts'
import { composeCommand } from './needs.ts'

/**
 * Brings what the suite needs before the first test starts, so that no test's time limit pays for a download or a build.
 * Each is quick when it is there already. One after the other: the two cores are better used that way.
 */
export async function prerequisites(): Promise<void> {
  const { PRICETAPE_TEMPORAL_BINARY: binary, PRICETAPE_CACHE_DIR: cacheDir } = process.env
  await temporalBinary({ binary, cacheDir }, progressTo(process.stderr))
  await testServerJars()
  if (!findChromium()) await installedBrowser()
  // For networks of the tests' own; without the right to make one, those tests are skipped.
  if (process.platform === 'linux') await installed('ip', ['iproute2'])
  // At a desk their tests are skipped where they are missing: no one waits for downloads without a network.
  if (!process.env.CI) return
  await bringPromtool()
  if (process.getuid?.() === 0 && !composeCommand()) await installed('docker-compose', ['docker-compose'])
}

/** Not every system has a package of the browser without windows. */
function installedBrowser(): Promise<string> {
  const shell = 'chromium-headless-shell'
  return installed(shell, [shell]).catch(() => installed('chromium', ['chromium']))
}
