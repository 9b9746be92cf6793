package errors

func New(text string) error      { return nil }
func Unwrap(err error) error     { return err }
func Join(errs ...error) error {
	for _, err := range errs {
		return err
	}
	return nil
}
