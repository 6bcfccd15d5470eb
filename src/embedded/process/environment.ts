import { delimiter } from 'node:path'

/** What any program needs to run; none of it is a setting or a secret of ours. */
const MINIMUM = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ']

/** What a program that reaches the network needs besides: proxies and certificate authorities of this machine. */
const NETWORK = [
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'],
]

/** What a developer's shell sets for their own Go work must not reach a build of ours; their module proxy must. */
const GO = [
  ...['GOPROXY', 'GONOPROXY', 'GOPRIVATE', 'GOSUMDB', 'GONOSUMDB', 'GOINSECURE'],
  ...['GOPATH', 'GOMODCACHE', 'GOCACHE'],
]

export type Environment = Record<string, string | undefined>

/** Returns the environment of a program that needs none of our settings. */
export const minimalEnvironment = (env: Environment = process.env): Environment => pick(env, MINIMUM)

/** Returns the environment of a program that downloads. */
export const networkEnvironment = (env: Environment = process.env): Environment => pick(env, [...MINIMUM, ...NETWORK])

/** Returns the environment of a build with Go. */
export const goEnvironment = (env: Environment = process.env): Environment => ({
  ...networkEnvironment(env),
  ...pick(env, GO),
})

/** Returns the environment of a database server: what it prints and reads is the same on every machine. */
export const serverEnvironment = (env: Environment = process.env): Environment => ({
  ...pick(env, ['PATH']),
  LC_ALL: 'C',
  TZ: 'UTC',
})

/** Returns the folders in which programs are looked for. */
export const programFolders = (env: Environment = process.env): string[] =>
  (env.PATH ?? '').split(delimiter).filter(Boolean)

/** Returns those variables of an environment that are named and set. */
export function pick(env: Environment, names: readonly string[]): Environment {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}
