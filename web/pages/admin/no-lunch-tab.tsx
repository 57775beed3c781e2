import { useSearchParams } from 'react-router-dom'
import { NoLunch } from '../../features/kitchen/no-lunch'
import { schoolDate, schoolNow } from '../../lib/school-moment'

/** The day is in the address; default: today. */
export const NoLunchTab = () => {
  const [search, setSearch] = useSearchParams()
  const onDate = (date: string) => {
    const next = new URLSearchParams(search)
    next.set('without', date)
    setSearch(next, { replace: true })
  }
  return <NoLunch date={search.get('without') ?? schoolDate(schoolNow())} onDate={onDate} />
}
