import { useQuery, keepPreviousData } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { type RevenueReply, revenueStats } from '#contracts/order-reports'
import { messageOf } from '../../lib/call'
import { endpointQuery } from '../../lib/endpoint-query'
import { kwacha, kwachaUp, wholeNumber } from '../../lib/format'
import { addressWith } from '../../lib/list-address'
import { Card } from '../../ui/card'
import { ChartCard } from '../../ui/chart-card'
import { QueryResult, SkeletonLines } from '../../ui/query-result'
import { Select } from '../../ui/select'
import { chartsOf, cycleText, statusShares, totalRevenue } from './revenue-text'

export const RevenueStats = () => {
  const [address, setAddress] = useSearchParams()
  const cycleId = /^[1-9]\d{0,8}$/.test(address.get('cycleId') ?? '') ? Number(address.get('cycleId')) : null
  const revenue = useQuery(revenueQuery(cycleId))
  const choose = (id: string) => setAddress(addressWith(address, { cycleId: id || null }))
  return (
    <QueryResult
      query={revenue}
      failure={`Error loading revenue stats: ${messageOf(revenue.error, 'Failed to fetch revenue stats')}`}
      waiting={<SkeletonLines lines={6} className="h-24" />}
    >
      {(reply) => (
        <div className="flex flex-col gap-5">
          <Select
            label="Period"
            className="max-w-form"
            options={[
              { value: '', label: 'All Time' },
              ...reply.cycles.map((cycle) => ({ value: String(cycle.id), label: cycleText(cycle) })),
            ]}
            value={cycleId === null ? '' : String(cycleId)}
            onChange={(event) => choose(event.target.value)}
          />
          <Overview stats={reply.stats} />
          <Charts reply={reply} ofCycle={cycleId !== null} />
        </div>
      )}
    </QueryResult>
  )
}

const Overview = ({ stats }: { stats: RevenueReply['stats'] }) => (
  <section aria-labelledby="overview" className="flex flex-col gap-4">
    <h2 id="overview" className="font-display text-xl font-semibold">
      Statistics Overview
    </h2>
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(max(9rem,40%),1fr))] gap-3 lg:grid-cols-4">
      <Figure name="Total Orders">{wholeNumber(stats.totalOrders)}</Figure>
      <Figure name="Completed Revenue" beside={kwacha(stats.netRevenue)}>
        {kwachaUp(stats.netRevenue)}
      </Figure>
      <Figure name="Total Revenue" beside={kwacha(totalRevenue(stats))}>
        {kwachaUp(totalRevenue(stats))}
      </Figure>
      <Figure name="Total Students">{wholeNumber(stats.totalStudents)}</Figure>
    </dl>
    <dl className="grid gap-3 sm:grid-cols-3">
      {statusShares(stats).map(({ label, count, amount, percentage }) => (
        <Figure key={label} name={`${label} Orders`} beside={`${kwacha(amount)} · ${percentage}`}>
          {wholeNumber(count)}
        </Figure>
      ))}
    </dl>
  </section>
)

type FigureProps = { name: string; beside?: string; children: string | number }

const Figure = ({ name, beside, children }: FigureProps) => (
  <Card className="px-4 py-3 sm:px-5">
    <dt className="text-sm text-muted">{name}</dt>
    <dd className="money font-display text-xl font-semibold sm:text-2xl">{children}</dd>
    {beside ? <dd className="money text-sm text-muted">{beside}</dd> : null}
  </Card>
)

const Charts = ({ reply, ofCycle }: { reply: RevenueReply; ofCycle: boolean }) => {
  const charts = useMemo(() => chartsOf(reply, ofCycle), [reply, ofCycle])
  const cycle = ofCycle ? undefined : reply.cycles.find(({ id }) => id === reply.cycle?.id)
  return (
    <section aria-label="Charts" className="flex flex-col gap-3">
      {cycle ? (
        <p className="text-sm text-muted">
          {`Days and classes are of the latest cycle: ${cycleText(cycle)}. Choose a period for another.`}
        </p>
      ) : null}
      <div className="gap-5 xl:columns-2 [&>*]:mb-5 [&>*]:break-inside-avoid">
        {charts.map((data) => (
          <ChartCard key={data.title} data={data} />
        ))}
      </div>
    </section>
  )
}

/** Refetched whenever opened, with one retry (administrator.md section 9). */
const revenueQuery = (cycleId: number | null) => ({
  ...endpointQuery('ordering', revenueStats, { query: cycleId === null ? {} : { cycleId } }),
  staleTime: 0,
  retry: 1,
  placeholderData: keepPreviousData,
})
