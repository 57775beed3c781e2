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
        All lists are being rebuilt since {schoolClock(data.running.since)}. You can go on working meanwhile.
      </Notice>
    </div>
  )
}
