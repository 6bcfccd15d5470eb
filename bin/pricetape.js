#!/usr/bin/env node
// The operator's commands without npm's own output in front: `npx pricetape … --json | jq`.
import { register } from 'tsx/esm/api'

register()
await import('../src/cli/main.ts')
