import type { Sql } from '../../lib/sql.ts'
import type { DeliveryState } from '../workflow-schema.ts'
import { deliveryState } from './delivery-state-store.ts'

/** Returns the state of a delivery, for its workflow. */
export const lookUpDelivery = (sql: Sql, deliveryId: string): Promise<DeliveryState> => deliveryState(sql, deliveryId)
