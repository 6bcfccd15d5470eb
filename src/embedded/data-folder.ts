import { randomBytes } from 'node:crypto'
import { chmod, lstat, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { OperatorError } from '../lib/errors.ts'
import { holderOf, takeLock } from './process/file-lock.ts'

/** Where an installation keeps what is its own. */
export type DataFolder = ReturnType<typeof dataFolder>

export function dataFolder(setting: string) {
  const root = resolve(setting)
  return {
    root,
    postgres: join(root, 'postgres'),
    temporal: join(root, 'temporal.db'),
    logs: join(root, 'logs'),
    secrets: join(root, 'secrets.json'),
    ports: join(root, 'places.json'),
    mcpKey: join(root, 'mcp-key'),
    lock: join(root, 'lock'),
    running: join(root, 'running.json'),
    /** Ends with the last write of `ports`: servers that start at once add to one file. */
    portsWritten: Promise.resolve(),
  }
}

const sealingKey = z.string().regex(/^[A-Za-z0-9+/]{43}=$/)

const secrets = z.object({
  postgresPassword: z.string().min(1),
  /** Takes the place of the other at the next start; both are kept until the role has it. */
  nextPostgresPassword: z.string().min(1).optional(),
  secretKey: sealingKey,
  /** Something may be sealed with these: another key was on its way when this was written. The next start decides. */
  otherSecretKeys: z.array(sealingKey).optional(),
})
export type Secrets = z.infer<typeof secrets>

export const PASSWORD_BYTES = 24

/** Ports and folders that stay the same from one start to the next. */
const rememberedPorts = z.object({
  postgresFolder: z.string().optional(),
  postgresPort: z.number().optional(),
  temporalPort: z.number().optional(),
  temporalPid: z.number().optional(),
})
export type RememberedPorts = z.infer<typeof rememberedPorts>

/** What a running installation says of itself, for the operator's commands and for a second start. */
const running = z.object({
  pid: z.number(),
  url: z.string().optional(),
  temporal: z.string().optional(),
  temporalNamespace: z.string(),
  temporalUi: z.string().optional(),
  databaseUrl: z.string(),
  startedAt: z.string(),
  /** What it was started with and a command from another shell must not contradict. */
  settings: z.object({
    allowPrivateEndpoints: z.boolean(),
    offline: z.boolean(),
    dnsServers: z.array(z.string()).optional(),
    sourcesFile: z.string().optional(),
    publicUrl: z.string().optional(),
    publicPages: z.boolean().optional(),
  }),
})
export type Running = z.infer<typeof running>

/** Makes the folder where it is missing, and closes it and its files to everyone but their owner. */
export async function makeDataFolder(folder: DataFolder): Promise<void> {
  try {
    await mkdir(folder.logs, { recursive: true })
    // As root, the database server runs as another user, who has to get through to its own folder.
    await chmod(folder.root, process.getuid?.() === 0 ? 0o711 : 0o700)
    await chmod(folder.logs, 0o700)
    for (const parent of [folder.root, folder.logs])
      for (const entry of await readdir(parent, { withFileTypes: true }))
        if (entry.isFile()) await chmod(join(parent, entry.name), 0o600)
  } catch (error) {
    throw new OperatorError(
      `The data folder ${folder.root} cannot be made (${(error as Error).message}). Name another in PRICETAPE_DATA_DIR.`,
    )
  }
}

/** Takes the data folder for this process. @throws OperatorError when another process runs on it, with its addresses. */
export async function lockDataFolder(folder: DataFolder): Promise<AsyncDisposable> {
  if (!(await takeLock(folder.lock))) {
    const other = await readRunning(folder)
    const where = other?.url ? `: ${other.url}${other.temporalUi ? `, Temporal UI ${other.temporalUi}` : ''}` : ''
    const pid = await holderOf(folder.lock)
    throw new OperatorError(
      `Pricetape runs already on ${folder.root} (process ${pid ?? 'unknown'})${where}. Stop it first, or name another folder in PRICETAPE_DATA_DIR.`,
    )
  }
  return {
    [Symbol.asyncDispose]: async () => {
      await rm(folder.running, { force: true })
      await rm(folder.lock, { force: true })
    },
  }
}

/**
 * The keys of this installation, made on its first start and readable by their owner alone.
 * @throws OperatorError where there is a database already: new keys would not open it, nor the secrets in it
 */
export async function readOrMakeSecrets(folder: DataFolder): Promise<Secrets> {
  const known = await readSecrets(folder)
  if (known) return known
  const databases = [folder.postgres, (await readRememberedPorts(folder)).postgresFolder ?? folder.postgres]
  for (const database of databases)
    if (await isThere(join(database, 'PG_VERSION')))
      throw new OperatorError(
        `${folder.secrets} is missing, and the database in ${database} cannot be opened without it. Restore it from your backup. To begin again with an empty database instead, move ${database} and ${folder.ports} away.`,
      )
  const made: Secrets = {
    postgresPassword: randomBytes(PASSWORD_BYTES).toString('base64url'),
    secretKey: randomBytes(32).toString('base64'),
  }
  await writeWhole(folder.secrets, made)
  return made
}

/** Keeps keys that were changed. */
export const writeSecrets = (folder: DataFolder, changed: Secrets): Promise<void> => writeWhole(folder.secrets, changed)

/** The keys of this installation; undefined when it was never started. */
export async function readSecrets(folder: DataFolder): Promise<Secrets | undefined> {
  if (!(await isThere(folder.secrets))) return undefined
  const text = await readFile(folder.secrets, 'utf8').catch((error: Error) => {
    throw new OperatorError(`${folder.secrets} cannot be read (${error.message}). Pricetape does not start without it.`)
  })
  const remedy = 'Restore it from your backup: without it the database cannot be opened.'
  return parse(secrets, text, folder.secrets, remedy)
}

/** Absent is only what has no entry: what is on a disk that fails must never be replaced. */
const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )

export async function readRememberedPorts(folder: DataFolder): Promise<RememberedPorts> {
  if (!(await isThere(folder.ports))) return {}
  const text = await readFile(folder.ports, 'utf8').catch((error: Error) => {
    throw new OperatorError(
      `${folder.ports} cannot be read (${error.message}). It says where the database is: Pricetape does not start without it.`,
    )
  })
  return parse(rememberedPorts, text, folder.ports, 'Restore it, or delete it to have it made again.')
}

export function rememberPorts(folder: DataFolder, found: RememberedPorts): Promise<void> {
  const add = async () => writeWhole(folder.ports, { ...(await readRememberedPorts(folder)), ...found })
  const written = folder.portsWritten.then(add)
  folder.portsWritten = written.catch(() => {})
  return written
}

export const writeRunningFile = (folder: DataFolder, state: Running): Promise<void> => writeWhole(folder.running, state)

/** The installation that runs on this folder now. */
export async function readRunning(folder: DataFolder): Promise<Running | undefined> {
  if ((await holderOf(folder.lock)) === undefined) return undefined
  const text = await readFile(folder.running, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : parse(running, text, folder.running, 'Start Pricetape again.')
}

function parse<T>(schema: z.ZodType<T>, text: string, path: string, remedy: string): T {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    throw new OperatorError(`${path} is damaged. ${remedy}`)
  }
}

/** Owner-only, and there whole or not at all: a crash never leaves half a file. */
async function writeWhole(path: string, value: object): Promise<void> {
  const fresh = `${path}.new`
  await writeFile(fresh, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 })
  await sync(fresh)
  await rename(fresh, path)
  // The new name is kept over a power cut only once the folder is written too.
  await sync(dirname(path))
}

async function sync(path: string): Promise<void> {
  const opened = await open(path, 'r')
  await opened.sync().finally(() => opened.close())
}
