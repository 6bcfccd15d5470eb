import { dataFolder, readRunning } from '../embedded/data-folder.ts'
import { readConfig } from '../lib/config.ts'
import { OperatorError } from '../lib/errors.ts'
import { localApiKey } from './mcp-key.ts'

/**
 * Returns which installation is asked through its API, and with which key: the one at PRICETAPE_URL, or the one that runs
 * on the data folder. @throws OperatorError
 */
export async function askedInstallation(): Promise<{ url: string; apiKey: string }> {
  const { url, apiKey, dataDir } = readConfig(process.env)
  if (url !== undefined && apiKey !== undefined) return { url, apiKey }
  if (url !== undefined) throw new OperatorError(`Set PRICETAPE_API_KEY to a key of ${url}.`)
  const folder = dataFolder(dataDir)
  const running = await readRunning(folder)
  if (!running?.url)
    throw new OperatorError(
      `Pricetape does not run on ${folder.root}: start it with npm start, or set PRICETAPE_URL and PRICETAPE_API_KEY.`,
    )
  return { url: running.url, apiKey: apiKey ?? (await localApiKey(folder, running)) }
}
