import { execFileSync } from 'node:child_process'

/** Returns what runs Git in a folder; its commits are of `at`. */
export const gitIn =
  (folder: string) =>
  (at: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
      cwd: folder,
      env: { ...process.env, GIT_COMMITTER_DATE: at, GIT_AUTHOR_DATE: at },
    })
