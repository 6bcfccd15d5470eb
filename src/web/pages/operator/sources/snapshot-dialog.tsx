import { Code, Modal, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { snapshotQuery } from '../../../api/operator.ts'
import { Placeholder } from '../../../components/loading/skeletons.tsx'
import { Failure } from '../../../components/states/failure.tsx'

/** What a source answered, as text: nothing of it runs. */
export function SnapshotDialog({ hash, onClose }: { hash: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(snapshotQuery(hash))
  return (
    <Modal opened onClose={onClose} size="xl" title={`Snapshot ${hash.slice(0, 12)}…`}>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Placeholder height={240} />}
      {data && (
        <>
          <Text size="sm" c="dimmed" mb="xs">
            {data.size.toLocaleString('en')} bytes{data.truncated && ', of which the first 256 KB are shown'}.
          </Text>
          <Code
            block
            tabIndex={0}
            style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', maxHeight: '60dvh', overflow: 'auto' }}
          >
            {data.text}
          </Code>
        </>
      )}
    </Modal>
  )
}
