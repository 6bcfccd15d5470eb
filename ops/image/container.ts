import { type ChildProcess, spawn } from 'node:child_process'
import { buildah } from './base-image.ts'

/** What an image says about how it runs. */
type ImageConfig = { User: string; Env: string[]; Entrypoint: string[]; Cmd: string[]; WorkingDir: string }

export type Container = {
  folder: string
  config: ImageConfig
  /** Starts a process in it, as a runtime would: see {@link enter}. */
  start(args: string[], env: Record<string, string>): StartedContainer
  remove(): Promise<void>
}

export type StartedContainer = { child: ChildProcess; said(): string; exited: Promise<number | null> }

export async function createContainer(image: string): Promise<Container> {
  const name = (await buildah('from', '--pull=never', image)).trim()
  const folder = (await buildah('mount', name)).trim()
  const { OCIv1 } = JSON.parse(await buildah('inspect', name)) as { OCIv1: { config: ImageConfig } }
  const { config } = OCIv1
  return {
    folder,
    config,
    start: (args, env) => enter(folder, config, args, env),
    remove: async () => {
      await buildah('umount', name)
      await buildah('rm', name)
    },
  }
}

/**
 * What `docker run --read-only --tmpfs /tmp --tmpfs /data --cap-drop ALL --security-opt no-new-privileges` does: the root
 * cannot be written, the user is the image's, there are no capabilities. The network is this machine's.
 */
const ENTER = `
set -eu
root=$1 user=$2 folder=$3; shift 3
mount --bind "$root" "$root"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t tmpfs -o "uid=$user,gid=$user,mode=700" tmpfs "$root/data"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
for file in resolv.conf hosts; do
  [ -e "$root/etc/$file" ] && mount --bind "/etc/$file" "$root/etc/$file"
done
mount -o remount,bind,ro "$root"
exec chroot "$root" /usr/bin/setpriv --reuid "$user" --regid "$user" --clear-groups \\
  --no-new-privs --inh-caps=-all --bounding-set=-all \\
  /usr/bin/env --chdir "$folder" "$@"
`

function enter(folder: string, config: ImageConfig, args: string[], env: Record<string, string>): StartedContainer {
  const settings = Object.fromEntries(config.Env.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]))
  const command = [folder, config.User, config.WorkingDir, ...args]
  const child = spawn('unshare', ['--mount', 'sh', '-c', ENTER, 'enter', ...command], { env: { ...settings, ...env } })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  return { child, said: () => said, exited: new Promise((resolve) => child.once('close', resolve)) }
}
