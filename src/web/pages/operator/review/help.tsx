import { Kbd, Modal, Table, Text } from '@mantine/core'

const KEYS: [string[], string][] = [
  [['j'], 'the next item'],
  [['k'], 'the item before'],
  [['space'], 'select the item, for a decision about many'],
  [['a'], 'approve: publish what is proposed; never removes a price'],
  [['d'], 'delist prices that are missing or unreadable; does nothing else'],
  [['r'], 'reject: keep what is published'],
  [['e'], 'publish it with other prices'],
  [['u'], 'undo the last decision, within five seconds'],
  [['esc'], 'stop typing prices, or select nothing'],
  [['?'], 'show these keys'],
]

/** The keys of the page, and what can be undone. */
export const Help = ({ onClose }: { onClose: () => void }) => (
  <Modal opened onClose={onClose} title="Keys">
    <Table>
      <Table.Tbody>
        {KEYS.map(([keys, does]) => (
          <Table.Tr key={does}>
            <Table.Td w={90}>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </Table.Td>
            <Table.Td>{does}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
    <Text size="sm" c="dimmed" mt="md">
      A decision is sent after five seconds. Until then, u undoes it. After that, a published price can be corrected,
      withdrawn or restored: subscribers receive price.corrected. A rejection cannot be undone: what the source says is
      ignored until it changes.
    </Text>
  </Modal>
)
