import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import * as z from 'zod/mini'
import type { Closing, DayFigures } from '#contracts/books'
import { longDate, longDay } from '../../../lib/format'
import { consolePaths } from '../../../lib/paths'
import { dateAndTime } from '../../../lib/school-moment'
import { plainNumber } from '../../../lib/typed-number'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { FormField } from '../../../ui/form'
import { FormDialog } from '../../../ui/form-dialog'
import { QueryResult, type QueryState } from '../../../ui/query-result'
import { closing, signedKwacha } from './day-table'

export const whatClosing = (whose: 'Its' | 'Their'): string =>
  `${whose} figures are kept as they are now, under your name, and a closed day is not opened again. What is booked later counts on the day on which it is booked.`

type CloseDayProps = { date: string; till: DayFigures['till'] | undefined; onClose: () => void }

export const CloseDay = ({ date, till, onClose }: CloseDayProps) => {
  const closes = useMutation(closing)
  return (
    <FormDialog
      title={`Close ${longDay(date)}?`}
      description={whatClosing('Its')}
      submit="Close the day"
      busyLabel="Closing"
      schema={counting}
      defaultValues={{ cashCounted: '' }}
      onSave={({ cashCounted }) =>
        closes.mutateAsync({
          body: { date, ...(cashCounted !== '' && { cashCounted: Number(cashCounted) }) },
        })
      }
      done="The day is closed"
      failed="Failed to close the day"
      onClose={onClose}
    >
      <FormField
        name="cashCounted"
        label="Cash counted in the till (K, optional)"
        hint={till && `Expected: ${signedKwacha(till.expected)}. Leave it empty if nobody counted.`}
        inputMode="decimal"
        autoComplete="off"
      />
    </FormDialog>
  )
}

const counting = z.object({
  cashCounted: z
    .string()
    .check(
      z.overwrite(plainNumber),
      z.regex(/^(\d{1,8}(\.\d{1,2})?)?$/, 'Amount must be a number with up to 2 decimal places'),
    ),
})

export const ClosedDays = ({ query }: { query: QueryState<{ data: Closing[] }> }) => (
  <Card>
    <CardHeading title="Closed days" hint="Each prints on one page, with room for two signatures." />
    <CardBody>
      <QueryResult
        query={query}
        failure="Failed to fetch the closed days"
        isEmpty={({ data }) => data.length === 0}
        empty={<p className="text-sm text-muted">No day was closed yet.</p>}
      >
        {({ data }) => (
          <ul aria-label="Closed days" className="divide-y divide-line text-sm">
            {data.map(({ date, closedBy, closedAt }) => (
              <li key={date} className="flex flex-wrap justify-between gap-x-4 gap-y-1 py-2">
                <Link to={consolePaths.closing(date)} className="font-semibold text-brand-700 underline">
                  {longDate(date)}
                </Link>
                <span className="text-muted">{`by ${closedBy}, ${dateAndTime(closedAt)}`}</span>
              </li>
            ))}
          </ul>
        )}
      </QueryResult>
    </CardBody>
  </Card>
)
