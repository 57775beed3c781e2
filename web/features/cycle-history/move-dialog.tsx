import { useMutation, useQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { moveOrder } from '#contracts/ordering'
import { menuQuery } from '../../queries/catalogue'
import { calendarQuery, dateChoice, openDaysOfDish } from '../../queries/cycles'
import { FormField } from '../../ui/form'
import { FormDialog } from '../../ui/form-dialog'
import { combinedQuery, QueryResult } from '../../ui/query-result'
import { type ActDialogProps, move, titleOf } from './history-orders'

const moving = z.extend(moveOrder.body, { date: z.string().check(z.minLength(1, 'Choose a day')) })

/** Of one order. The server checks the day as for a new order. */
export const MoveDialog = ({ orders: [order], onActed, onClose }: ActDialogProps) => {
  const read = combinedQuery(useQuery(calendarQuery), useQuery(menuQuery))
  const sending = useMutation(move)
  if (!order) return null
  return (
    <FormDialog
      title="Move to another day?"
      description={`${titleOf(order)}. The price stays the same, unless the family's discount has changed.`}
      submit="Move Lunch"
      busyLabel="Moving..."
      done="Lunch moved"
      schema={moving}
      defaultValues={{ date: '' }}
      onSave={async (body) => {
        await sending.mutateAsync({ params: { id: order.id }, body })
        onActed([])
      }}
      failed="Failed to move the lunch"
      onClose={onClose}
    >
      <QueryResult query={read} failure="Failed to fetch the calendar">
        {([cycles, items]) => {
          const item = items.find(({ id }) => id === order.menuItem.id)
          const dates = openDaysOfDish(cycles, item)
          if (dates.length === 0) return <p>This dish cannot be ordered on any day of the active cycle.</p>
          return (
            <FormField name="date" label="Day" placeholder="Choose a day" options={dates.map(dateChoice)} />
          )
        }}
      </QueryResult>
    </FormDialog>
  )
}
