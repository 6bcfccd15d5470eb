import type { Config } from '../config.ts'

/** Returns the address of the app, without a slash at its end. Never the Host header: a link in a mail must not lead where its sender likes. */
export const appOrigin = ({ publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>): string =>
  publicUrl ? new URL(publicUrl).origin : `http://localhost:${port}`
