package http

type Handler interface {
	ServeHTTP(w ResponseWriter, r *Request)
}

type HandlerFunc func(w ResponseWriter, r *Request)

func (f HandlerFunc) ServeHTTP(w ResponseWriter, r *Request) { f(w, r) }

type ServeMux struct{}

func NewServeMux() *ServeMux { return &ServeMux{} }

func (m *ServeMux) Handle(pattern string, handler Handler) { handler.ServeHTTP(nil, nil) }

func (m *ServeMux) HandleFunc(pattern string, handler func(ResponseWriter, *Request)) { handler(nil, nil) }

func Handle(pattern string, handler Handler) { handler.ServeHTTP(nil, nil) }

func HandleFunc(pattern string, handler func(ResponseWriter, *Request)) { handler(nil, nil) }

func ListenAndServe(addr string, handler Handler) error { handler.ServeHTTP(nil, nil); return nil }

func ListenAndServeTLS(addr, cert, key string, handler Handler) error {
	handler.ServeHTTP(nil, nil)
	return nil
}

func Serve(l any, handler Handler) error { handler.ServeHTTP(nil, nil); return nil }

func StripPrefix(prefix string, h Handler) Handler { return h }

func TimeoutHandler(h Handler, dt any, msg string) Handler { return h }

func MaxBytesHandler(h Handler, n int64) Handler { return h }

func AllowQuerySemicolons(h Handler) Handler { return h }

type Server struct{ Handler Handler }

func (s *Server) ListenAndServe() error { s.Handler.ServeHTTP(nil, nil); return nil }

func (s *Server) ListenAndServeTLS(cert, key string) error { s.Handler.ServeHTTP(nil, nil); return nil }

func (s *Server) Serve(l any) error { s.Handler.ServeHTTP(nil, nil); return nil }

func (s *Server) ServeTLS(l any, cert, key string) error { s.Handler.ServeHTTP(nil, nil); return nil }

type RoundTripper interface {
	RoundTrip(r *Request) (*Response, error)
}

type Client struct{ Transport RoundTripper }

func (c *Client) Do(r *Request) (*Response, error) { return c.Transport.RoundTrip(r) }

func (c *Client) Get(url string) (*Response, error) { return c.Transport.RoundTrip(nil) }
