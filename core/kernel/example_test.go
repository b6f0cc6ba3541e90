package kernel_test

import (
	"context"
	"fmt"

	"genussink/core/kernel"
)

// The product with f(x_i + y_j) on two sides of a vertex, and the exponentials that stand for f.
func Example() {
	f, err := kernel.Parse("cauchy:lambda=-1,c=0.5")
	if err != nil {
		fmt.Println(err)
		return
	}
	x, y := []float64{0, 1, 2}, []float64{0.5, 1.5}
	p, err := kernel.NewProduct(f, x, y)
	if err != nil {
		fmt.Println(err)
		return
	}
	z, err := p.MulVec(context.Background(), nil, []float64{1, 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v: %.4f\n", f, z)

	s, err := kernel.Exponentials(f, 3.5, 1e-3)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("f(2) = %.5f, by %d exponentials %.5f\n", f.At(2), len(s.Terms), s.At(2))

	_, err = kernel.Parse("gauss:s=0")
	fmt.Println(err)
	// Output:
	// cauchy:lambda=-1,c=0.5: [0.8297 0.1663 0.0425]
	// f(2) = 0.05413, by 6 exponentials 0.05416
	// kernel gauss: s is 0, not a finite length squared above zero
}
