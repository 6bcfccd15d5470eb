/** The GFM plugin ships without types: tables, strikethrough and task lists for turndown. */
declare module 'joplin-turndown-plugin-gfm' {
  import type { Plugin } from 'turndown'
  export const gfm: Plugin
}
