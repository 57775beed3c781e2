import { cleanup } from '@testing-library/react'
import { setSchoolNow, setSchoolZone } from '../../web/lib/school-moment'
import { story as storyOf } from '../support/story'

/** A story in a browser that it leaves as a fresh one for the next. */
export const story = (name: string, load: () => unknown): void =>
  storyOf(name, () => {
    // First, as in a file by itself: what the story's own hooks change must draw nothing anew.
    afterEach(cleanup)
    load()
    afterAll(leaveNothing)
  })

const leaveNothing = () => {
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
  const now = Date.now()
  setSchoolNow(new Date(now).toISOString(), now)
  setSchoolZone('Africa/Lusaka')
}
