import { changeRecorded } from '../changes/change-recorded'
import { words } from './entry-words'

/** What administrators changed, as they wrote it down. */
export const changeWords = [
  words(
    changeRecorded,
    ({ kind }) => kind,
    ({ what, old, new: now }) => ({ what, details: { old, new: now } }),
  ),
]
