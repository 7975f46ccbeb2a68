package scaling

import "math"

// parameters is how many a law has.
const parameters = 3

type (
	vector [parameters]float64
	matrix [parameters]vector
)

func (v vector) dot(w vector) float64 { return v[0]*w[0] + v[1]*w[1] + v[2]*w[2] }

// of is vᵀMv.
func (m matrix) of(v vector) (sum float64) {
	for i := range m {
		sum += v[i] * v.dot(m[i])
	}
	return sum
}

// system is a problem of least squares: the sum of squares of 1 − v·row over rows.
type system struct {
	squares matrix // the sum of each row's products
	sums    vector // of the rows
	rows    float64
}

func (s *system) add(row vector) {
	for i, x := range row {
		for j, y := range row {
			s.squares[i][j] += x * y
		}
		s.sums[i] += x
	}
	s.rows++
}

// left is the sum of squares at v.
func (s *system) left(v vector) float64 { return s.rows - 2*v.dot(s.sums) + s.squares.of(v) }

// solve has the least squares, with the second and the third parameter or with 0 for them.
func (s *system) solve(second, third bool) vector {
	m, sums := s.with(second, third)
	var v vector
	inverse := inverted(m)
	for i := range v {
		v[i] = inverse[i].dot(sums)
	}
	return v
}

// with is the system without the parameters that are 0.
func (s *system) with(second, third bool) (m matrix, sums vector) {
	m, sums = s.squares, s.sums
	for i, in := range []bool{true, second, third} {
		if in {
			continue
		}
		sums[i] = 0
		for j := range m {
			m[i][j], m[j][i] = 0, 0
		}
		m[i][i] = 1
	}
	return m, sums
}

// bounded has the least squares with the second and the third parameter from 0 up. The problem is
// convex, so it is at one of these places.
func (s *system) bounded() (best vector) {
	found := false
	for _, in := range [][2]bool{{true, true}, {true, false}, {false, true}, {false, false}} {
		v := s.solve(in[0], in[1])
		if v[1] >= 0 && v[2] >= 0 && (!found || s.left(v) < s.left(best)) {
			best, found = v, true
		}
	}
	return best
}

// inverse is the covariance of the parameters, but for the variance of an error.
func (s *system) inverse() matrix { return inverted(s.squares) }

// inverted is the inverse of a symmetric matrix, scaled so that no unit makes it inexact.
func inverted(m matrix) (inverse matrix) {
	var scale vector
	for i := range m {
		scale[i] = 1 / math.Sqrt(m[i][i])
	}
	for i := range m {
		for j := range m {
			m[i][j] *= scale[i] * scale[j]
		}
	}
	minor := func(i, j int) float64 {
		a, b, c, d := (i+1)%3, (i+2)%3, (j+1)%3, (j+2)%3
		return m[a][c]*m[b][d] - m[a][d]*m[b][c]
	}
	determinant := m[0][0]*minor(0, 0) + m[0][1]*minor(0, 1) + m[0][2]*minor(0, 2)
	for i := range m {
		for j := range m {
			inverse[i][j] = minor(j, i) / determinant * scale[i] * scale[j]
		}
	}
	return inverse
}
