import { useQuery } from '@tanstack/react-query'
import { maintenanceNow } from '#contracts/audit'
import { endpointQuery } from '../../lib/endpoint-query'
import { schoolClock } from '../../lib/school-moment'
import { Notice } from '../../ui/notice'

const askEveryMs = 60_000

/** Says that the read models are being rebuilt, as long as they are. */
export const RebuildNotice = () => {
  const { data } = useQuery({
    ...endpointQuery('audit', maintenanceNow, {}),
    staleTime: askEveryMs,
    refetchInterval: askEveryMs,
  })
  if (data?.running?.what !== 'rebuild') return null
  return (
    <div className="mb-4 print:hidden">
      <Notice>
        A rebuild of all lists began at {schoolClock(data.running.since)} and is still running. You can go on
        working meanwhile.
      </Notice>
    </div>
  )
}
