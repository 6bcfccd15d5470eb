import {
  Code,
  Group,
  getTreeExpandedState,
  Paper,
  SegmentedControl,
  Stack,
  Text,
  Title,
  Tree,
  type TreeNodeData,
  useTree,
} from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useChangeSearch } from '../../components/hooks/use-change-search.ts'
import { CopyIcon } from '../../components/values/copied-value.tsx'

/** The body: to unfold, or byte for byte as it is sent. */
export function Payload({ payload, bytes }: { payload: string; bytes: number }) {
  const isSent = useSearch({ strict: false, select: (search: { view?: unknown }) => search.view === 'sent' })
  const change = useChangeSearch()
  return (
    <Stack gap="xs" component="section">
      <Group justify="space-between">
        <Group gap="xs">
          <Title order={2} size="h4">
            Payload
          </Title>
          <Text size="sm" c="dimmed">
            {bytes.toLocaleString('en')} bytes
          </Text>
        </Group>
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            value={isSent ? 'sent' : 'tree'}
            onChange={(view) => change({ view: view === 'sent' ? view : undefined })}
            aria-label="How the payload is shown"
            data={[
              { value: 'tree', label: 'Folded' },
              { value: 'sent', label: 'As sent' },
            ]}
          />
          <CopyIcon value={payload} label="the payload" />
        </Group>
      </Group>
      {isSent ? (
        <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {payload}
        </Code>
      ) : (
        <Paper withBorder p="sm">
          <FoldedJson text={payload} />
        </Paper>
      )}
    </Stack>
  )
}

/** A short payload is unfolded: what matters in it is mostly inside. */
const UNFOLDED_CHARACTERS = 4_000

type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** JSON whose objects and lists unfold. */
function FoldedJson({ text }: { text: string }) {
  const data = useMemo(() => nodesOf(JSON.parse(text) as Json, ''), [text])
  const tree = useTree({
    initialExpandedState: text.length < UNFOLDED_CHARACTERS ? getTreeExpandedState(data, '*') : {},
  })
  return (
    <Tree
      data={data}
      tree={tree}
      levelOffset="lg"
      aria-label="Payload"
      renderNode={({ node, expanded, hasChildren, elementProps }) => (
        <Group gap={4} wrap="nowrap" align="flex-start" {...elementProps}>
          {hasChildren ? (
            expanded ? (
              <IconChevronDown size={16} style={{ flex: 'none', marginTop: 3 }} aria-hidden />
            ) : (
              <IconChevronRight size={16} style={{ flex: 'none', marginTop: 3 }} aria-hidden />
            )
          ) : (
            <span style={{ width: 16, flex: 'none' }} />
          )}
          <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {node.label}
          </Text>
        </Group>
      )}
    />
  )
}

function nodesOf(json: Json, path: string): TreeNodeData[] {
  if (json === null || typeof json !== 'object') return []
  return Object.entries(json).map(([key, value]) => {
    const own = `${path}/${key}`
    const children = nodesOf(value as Json, own)
    const label = Array.isArray(json) ? '' : `${key}: `
    return {
      value: own,
      label: label + shown(value as Json, children.length),
      ...(children.length > 0 && { children }),
    }
  })
}

const shown = (value: Json, parts: number): string => {
  if (value === null || typeof value !== 'object' || parts === 0) return JSON.stringify(value)
  return Array.isArray(value) ? `[ ${parts} ]` : `{ ${parts} }`
}
