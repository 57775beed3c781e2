import { counted } from '../../lib/format'
import { useNow } from '../../lib/use-now'
import { Notice } from '../../ui/notice'

const minuteMs = 60_000
const tooOldMs = 2 * minuteMs

/** How old what is seen is, in ms by the device's clock; `at` is when it came, 0 before. */
const useAge = (at: number): number => {
  const now = useNow(1_000)
  return at === 0 ? 0 : Math.max(0, now - at)
}

/** Such as "8 s ago", from a minute on in minutes. */
const agoInWords = (ageMs: number): string =>
  ageMs < minuteMs
    ? `${Math.floor(ageMs / 1_000)} s ago`
    : `${counted(Math.floor(ageMs / minuteMs), 'minute')} ago`

/** How old what is seen is. */
export const Age = ({ at }: { at: number }) => {
  const age = useAge(at)
  return at === 0 ? null : (
    <p className="money basis-full text-sm text-muted sm:basis-auto">{`Updated ${agoInWords(age)}`}</p>
  )
}

/** A warning over what is seen, after two minutes without an answer. */
export const TooOld = ({ at }: { at: number }) => {
  const age = useAge(at)
  if (age <= tooOldMs) return null
  return (
    <div className="w-full print:hidden">
      <Notice tone="warning" title={`No answer for ${counted(Math.floor(age / minuteMs), 'minute')}`}>
        <p>What you see may have changed since. It is read again as soon as there is a connection.</p>
      </Notice>
    </div>
  )
}
