import { configure } from '@testing-library/react'

// How long a test waits for what must appear, at the most: a busy machine is slow, not wrong.
configure({ asyncUtilTimeout: 60_000 })
