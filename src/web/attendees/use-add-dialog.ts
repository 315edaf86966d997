import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** The history state with which the list opens when somebody is to be added at once. */
export const ADD_SOMEBODY = 'add somebody'

/** Whether the dialog that adds somebody is open; it opens by itself when that was asked for on another page. */
export function useAddDialog() {
  const { state, pathname, search } = useLocation()
  const navigate = useNavigate()
  const [isAdding, setAdding] = useState(false)
  useEffect(() => {
    if (state !== ADD_SOMEBODY) return
    setAdding(true)
    // History entries keep their state.
    void navigate(pathname + search, { replace: true, state: null })
  }, [state, pathname, search, navigate])
  return [isAdding, setAdding] as const
}
