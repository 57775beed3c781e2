import type { ReactNode } from 'react'
import { todayFigures, type TodayFigures } from '#contracts/find'
import { endpointQuery } from '../../lib/endpoint-query'
import { counted, kwacha, payByLabel, shortDay, weekdayOf, wholeNumber } from '../../lib/format'
import { Card } from '../../ui/card'
import { ChartCard } from '../../ui/chart-card'

const askEveryMs = 60_000

/** Asked again each minute while it is visible. */
export const figuresQuery = {
  ...endpointQuery('today', todayFigures, {}),
  staleTime: askEveryMs,
  refetchInterval: askEveryMs,
}

export const hasFigures = ({ received, lunches, unpaid, owed }: TodayFigures): boolean =>
  Boolean(received ?? lunches ?? unpaid ?? owed)

/** Each beside the same day last week. */
export const Figures = ({ date, received, lunches, unpaid, owed }: TodayFigures) => {
  const before = `${weekdayOf(date)} last week`
  return (
    <dl
      aria-label="Figures of today"
      className="grid grid-cols-[repeat(auto-fit,minmax(max(9rem,40%),1fr))] gap-3 xl:grid-cols-4"
    >
      {received ? (
        <Figure
          name="Received today"
          value={kwacha(received.today)}
          before={`${before}: ${kwacha(received.lastWeek)}`}
        >
          {received.methods.map(({ method, amount }) => (
            <span key={method} className="flex flex-wrap justify-between gap-x-3">
              <span className="min-w-0">{payByLabel(method)}</span>
              <span className="money">{kwacha(amount)}</span>
            </span>
          ))}
        </Figure>
      ) : null}
      {lunches ? (
        <Figure
          name="Lunches today"
          value={wholeNumber(lunches.today)}
          before={`${before}: ${wholeNumber(lunches.lastWeek)}`}
        />
      ) : null}
      {unpaid ? (
        <Figure
          name="Unpaid for today"
          value={kwacha(unpaid.today)}
          before={`${before}: ${kwacha(unpaid.lastWeek)}`}
        >
          {unpaid.lunches > 0 ? counted(unpaid.lunches, 'lunch', 'lunches') : null}
        </Figure>
      ) : null}
      {owed ? (
        <Figure name="Owed back" value={kwacha(owed.today)} before={`${before}: ${kwacha(owed.lastWeek)}`} />
      ) : null}
    </dl>
  )
}

type FigureProps = { name: string; value: string; before: string; children?: ReactNode }

const Figure = ({ name, value, before, children }: FigureProps) => (
  <Card className="flex min-w-0 flex-col px-3 py-3 sm:px-5">
    <dt className="text-sm text-muted">{name}</dt>
    <dd className="money font-display text-xl font-semibold sm:text-2xl">{value}</dd>
    <dd className="money text-xs whitespace-normal text-muted">{before}</dd>
    {children ? <dd className="mt-2 text-xs sm:text-sm">{children}</dd> : null}
  </Card>
)

export const FigureCharts = ({ received, lunches }: TodayFigures) => (
  <>
    {received ? (
      <ChartCard
        level={2}
        empty="No money was received in these days."
        data={{
          title: 'Received in 14 days',
          of: 'Day',
          series: ['Received'],
          unit: 'kwacha',
          drawn: 'lines',
          places: received.days.map(({ date, amount }) => ({ label: shortDay(date), values: [amount] })),
        }}
      />
    ) : null}
    {lunches ? (
      <ChartCard
        level={2}
        empty="No lunches are ordered for these days yet."
        data={{
          title: 'Lunches of the next five school days',
          of: 'Day',
          series: ['Lunches'],
          unit: 'count',
          drawn: 'columns',
          places: lunches.days.map((day) => ({ label: shortDay(day.date), values: [day.lunches] })),
        }}
      />
    ) : null}
  </>
)
