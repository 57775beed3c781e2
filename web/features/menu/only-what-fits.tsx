import { useMemo, useState } from 'react'
import type { MenuItem } from '#contracts/catalogue'
import { markOf, type MealMarks } from '#contracts/health'
import { readDevice, writeDevice } from '../../lib/device-storage'
import { Switch } from '../../ui/checkbox'
import type { Eater } from './menu-week'

// Without a child's id: the device remembers nothing about anybody's health.
const key = 'only-what-fits'

/** The meals to show, and the switch for a child with allergies or a diet; null for others. */
export const useOnlyWhatFits = (items: readonly MenuItem[], eater: Eater, marks: MealMarks | undefined) => {
  const [isOn, setOn] = useState(() => readDevice(key) === 'on')
  const known = marks?.students.find(({ studentId }) => studentId === eater.id)
  const isAllergic = (known?.allergies?.length ?? 0) > 0
  const isOffered = known !== undefined && (isAllergic || known.diet !== 'none')
  const isOnly = isOffered && isOn
  const shown = useMemo(() => {
    const fits = (item: MenuItem) => {
      const { conflict, unstated } = markOf(marks, eater, item)
      return conflict === null && unstated === null && !(isAllergic && item.allergens === null)
    }
    return isOnly ? items.filter(fits) : items
  }, [items, eater, marks, isAllergic, isOnly])
  const change = (on: boolean) => {
    setOn(on)
    writeDevice(key, on ? 'on' : 'off')
  }
  const who = eater.grade === 'teacher' ? 'you' : eater.name
  const choice = isOffered ? (
    <Switch label={`Only what ${who} can eat`} checked={isOn} onChange={change} />
  ) : null
  return { shown, choice }
}
