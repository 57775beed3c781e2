import { useEffect, useId } from 'react'

/** Forms of the page that hold what is not saved, those of dialogs too. */
const typed = new Set<string>()

export const isSomethingTyped = (): boolean => typed.size > 0

/** Every form reports itself. */
export const useTyped = (isTyped: boolean): void => {
  const form = useId()
  useEffect(() => {
    if (isTyped) typed.add(form)
    return () => void typed.delete(form)
  }, [form, isTyped])
}
