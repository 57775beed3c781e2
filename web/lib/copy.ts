import { toast } from './toast'

/** Puts `value` on the clipboard; `words` say what it is ("the reference TS-123"). */
export const copy = async (value: string, words: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(value)
    toast({ title: 'Copied', text: `You can paste ${words} now.` })
  } catch {
    toast({ title: 'Not copied', text: `Please write down ${words}.`, kind: 'error' })
  }
}
