import { join } from 'node:path'
import { env } from 'node:process'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const API = 'http://127.0.0.1:8080'

// Every build is a build for production, also in tests: what is built is what people get.
if (process.argv.includes('build')) env.NODE_ENV = 'production'

/** `npm run dev` reloads the pages on change, and passes what the API answers to a running `npm start`. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  server: { proxy: { '/v1': API, '/docs/': API, '/openapi.json': API } },
  build: {
    outDir: join(import.meta.dirname, '../../.cache/app'),
    emptyOutDir: true,
    // No file becomes part of another: the content security policy allows no data addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What most pages share is one file, because many small files compress 4 % worse (the explorer: 250 and 240 KB).
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 20 }] } } },
  },
})
