import { useEffect, useState } from 'react'
import { dateAndTime } from '../../lib/school-moment'
import { Button } from '../../ui/button'

export const PrintButton = () => (
  <Button variant="secondary" icon="print" onClick={() => window.print()}>
    Print
  </Button>
)

/** On paper only: when this was printed, by the school's clock. */
export const PrintedAt = () => {
  const [at, setAt] = useState(() => new Date())
  useEffect(() => {
    const printing = () => setAt(new Date())
    window.addEventListener('beforeprint', printing)
    return () => window.removeEventListener('beforeprint', printing)
  }, [])
  return <p className="hidden text-sm print:block">{`Printed ${dateAndTime(at.toISOString())}`}</p>
}
