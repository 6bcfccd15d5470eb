import { execFileSync } from 'node:child_process'

/** How a namespace is made here: as root, or by becoming root of a user namespace. */
const WAYS = [['-n'], ['-rn']]
const TRY = 'ip link set lo up && ip link add end0 type veth peer name end1 && ip addr add 2a02:5::2/64 dev end0 nodad'

/** Returns the options of `unshare` that make a network namespace here; undefined where none can be made. */
export function namespaceOptions(): string[] | undefined {
  return WAYS.find((way) => {
    try {
      execFileSync('unshare', [...way, 'sh', '-c', TRY], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })
}
